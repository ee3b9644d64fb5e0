// One line of the log, whole, beside the timeline.
import { useEffect, useRef } from "preact/hooks";
import type { RecordView } from "../../wire.ts";
import { toHash } from "../router.ts";
import { Loading, Trouble } from "../shell/notice.tsx";
import { useFetched } from "../use-data.ts";
import { prettyJson } from "./pretty-json.ts";

/** The JSON of one line, and of its result where it is a call. It takes the focus when it opens. */
export function RecordDrawer({
  run,
  line,
  onClose,
}: {
  readonly run: string;
  readonly line: number;
  readonly onClose: () => void;
}) {
  const { value, error } = useFetched<RecordView>("/api/record", { id: run, line }, 0);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <aside class="drawer" aria-label={`Line ${line} of the log`}>
      <div class="drawer-head">
        <h2>Line {line}</h2>
        {value?.pruneId === undefined ? null : (
          <a href={toHash({ view: "cut", pruneId: value.pruneId, run })}>Open the cut</a>
        )}
        <button ref={close} type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {error !== undefined ? <Trouble error={error} /> : value === undefined ? <Loading /> : <Body value={value} />}
    </aside>
  );
}

function Body({ value }: { readonly value: RecordView }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="drawer-body" tabIndex={0} aria-label="The record">
      <pre>{prettyJson(value.json)}</pre>
      {value.resultJson === undefined ? null : (
        <>
          <h3>Its result</h3>
          <pre>{prettyJson(value.resultJson)}</pre>
        </>
      )}
    </section>
  );
}
