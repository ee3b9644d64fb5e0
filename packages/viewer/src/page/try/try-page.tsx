// Try it: a text, a question, a slider, and the cut that they give. The server stores nothing of it.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TryCut } from "../../wire.ts";
import { ApiError, postJson } from "../api.ts";
import { CodeRows } from "../cut/code-rows.tsx";
import { Legend } from "../cut/legend.tsx";
import { compact, grouped, share } from "../format.ts";
import { Empty, Trouble } from "../shell/notice.tsx";
import { useKeys } from "../use-keys.ts";
import { SAMPLE_FOCUS, SAMPLE_NAME, sampleText } from "./sample.ts";

const MAX_CHARS = 4_000_000;
const PAUSE_MS = 120;

/** The view "Try it". It takes texts of up to 4,000,000 characters, and cuts again 120 ms after the last change. */
export function TryPage() {
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const [focus, setFocus] = useState("");
  /** Percent; with undefined the engine chooses. */
  const [keep, setKeep] = useState<number | undefined>();
  const [note, setNote] = useState("");
  const [isOver, setOver] = useState(false);
  const question = useRef<HTMLInputElement>(null);
  const { cut, error, isBusy } = useCut({ text, name, focus, keep });
  const lines = useMemo(() => text.split("\n"), [text]);
  useKeys({ "/": () => question.current?.focus() });

  const takeFile = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MAX_CHARS) return setNote(`${file.name} is too large: at most ${grouped(MAX_CHARS)} characters.`);
    setText(await file.text());
    setName(file.name);
    setNote("");
  };
  const useSample = () => {
    setText(sampleText());
    setName(SAMPLE_NAME);
    setFocus(SAMPLE_FOCUS);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file may be dropped anywhere; the button does the same by keyboard
    <div
      class={`try ${isOver ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void takeFile(event.dataTransfer?.files[0]);
      }}
    >
      <section class="try-in" aria-label="What to cut">
        <div class="pane-head">
          <h1>Try it</h1>
          <button type="button" onClick={useSample}>
            Use a sample
          </button>
          <label class="file-button">
            Choose a file
            <input
              type="file"
              onChange={(event) => {
                void takeFile(event.currentTarget.files?.[0]);
                event.currentTarget.value = "";
              }}
            />
          </label>
        </div>
        <label class="field">
          <span>What do you want to know?</span>
          <input
            ref={question}
            type="text"
            value={focus}
            maxLength={10_000}
            placeholder="where is the port chosen?"
            onInput={(event) => setFocus(event.currentTarget.value)}
          />
        </label>
        <div class="field">
          <label for="keep">
            How much to keep <output class="num">{keep === undefined ? "what the evidence says" : `${keep}%`}</output>
          </label>
          <div class="slider">
            <input
              id="keep"
              type="range"
              min="0"
              max="100"
              value={keep ?? (cut === undefined ? 30 : Math.round((cut.keptTokens / Math.max(1, cut.rawTokens)) * 100))}
              onInput={(event) => setKeep(event.currentTarget.valueAsNumber)}
            />
            <button type="button" aria-pressed={keep === undefined} onClick={() => setKeep(undefined)}>
              Auto
            </button>
          </div>
        </div>
        <label class="field grow">
          <span>
            The text {name === "" ? null : <code>{name}</code>} {note === "" ? null : <em role="alert">{note}</em>}
          </span>
          <textarea
            value={text}
            spellcheck={false}
            maxLength={MAX_CHARS}
            placeholder="Paste code, a log or a page here, or drop a file anywhere."
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      </section>
      <section class="try-out" aria-label="The cut" aria-busy={isBusy}>
        {error !== undefined ? (
          <Trouble error={error} />
        ) : cut === undefined || text === "" ? (
          <Empty title="The cut appears here">
            <p>Paste or drop a text, and say what you want to know. Nothing is written, nothing leaves this machine.</p>
          </Empty>
        ) : (
          <>
            <div class="try-head">
              <p class="try-figures num" role="status">
                <strong>{compact(cut.keptTokens)}</strong> of {compact(cut.rawTokens)} tokens kept (
                {share(cut.keptTokens, cut.rawTokens)})
              </p>
              <p class="quiet-text num">
                {[cut.language ?? cut.kind, `${cut.match} match`, `${cut.durationMs} ms`].join(" · ")}
              </p>
              {cut.note === undefined ? null : <p role="alert">{cut.note}</p>}
              <Legend why={cut.why} />
            </div>
            <CodeRows
              label="The text as an agent would see it"
              lineCount={cut.lineCount}
              blocks={cut.blocks}
              why={cut.why}
              lineAt={(line) => lines[line - 1]}
            />
            {cut.list === undefined ? null : (
              <section class="try-list" aria-label="The other matches">
                <pre>{cut.list}</pre>
              </section>
            )}
          </>
        )}
      </section>
    </div>
  );
}

/** The cut of the present input; an older request that has no answer yet is aborted. */
function useCut(asked: {
  readonly text: string;
  readonly name: string;
  readonly focus: string;
  readonly keep: number | undefined;
}) {
  const [cut, setCut] = useState<TryCut | undefined>();
  const [error, setError] = useState<ApiError | undefined>();
  const [isBusy, setBusy] = useState(false);
  const { text, name, focus, keep } = asked;
  useEffect(() => {
    if (text === "") {
      setCut(undefined);
      setError(undefined);
      setBusy(false);
      return;
    }
    const stop = new AbortController();
    const body = { text, focus, ...(name === "" ? {} : { name }), ...(keep === undefined ? {} : { keep: keep / 100 }) };
    const timer = setTimeout(() => {
      setBusy(true);
      postJson<TryCut>("/api/try", body, stop.signal).then(
        (made) => {
          setCut(made);
          setError(undefined);
          setBusy(false);
        },
        (failure: unknown) => {
          if (stop.signal.aborted) return;
          setError(failure instanceof ApiError ? failure : new ApiError(0, String(failure)));
          setBusy(false);
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, name, focus, keep]);
  return { cut, error, isBusy };
}
