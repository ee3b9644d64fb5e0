// One call's cut: what the agent saw of a text, what was left out (unfolded here from the store), why lines were kept, and
// what was asked for later.
import { useCallback, useMemo } from "preact/hooks";
import type { CutView as Cut, CutLines, Recovery } from "../../wire.ts";
import { getJson } from "../api.ts";
import { amount, compact, grouped, moment, share } from "../format.ts";
import { go, toHash } from "../router.ts";
import { Empty, Loading, Trouble } from "../shell/notice.tsx";
import { useFetched, useLive } from "../use-data.ts";
import { useKeys } from "../use-keys.ts";
import { usePages } from "../use-pages.ts";
import { CodeRows } from "./code-rows.tsx";
import { Legend } from "./legend.tsx";
import { ShareCut } from "./share-cut.tsx";

const NO_BLOCKS: Cut["blocks"] & object = [];

/** The page of one stored cut. Its back link leads to `run`, or to all runs; an expired cut has a notice instead. */
export function CutView({ pruneId, run }: { readonly pruneId: string; readonly run: string | undefined }) {
  // Later recoveries are in the meter, whose changes have the topic `savings`.
  const version = useLive("savings");
  const { value, error } = useFetched<Cut>("/api/cut", { id: pruneId }, version);
  const back = run === undefined ? ({ view: "runs" } as const) : ({ view: "runs", run } as const);
  useKeys({ Escape: () => go(back) });
  const load = useCallback(
    async (from: number, count: number, signal: AbortSignal): Promise<readonly string[]> =>
      (await getJson<CutLines>("/api/lines", { id: pruneId, from: from + 1, to: from + count }, signal)).lines,
    [pruneId],
  );
  const pages = usePages<string>({ key: pruneId, version: 0, load });
  const onShow = useCallback((first: number, last: number) => pages.show(first - 1, last - 1), [pages.show]);
  const isRecovered = useMemo(() => recoveredLines(value?.recoveries ?? []), [value]);

  if (error?.status === 404) {
    return (
      <Empty title="This cut is no longer kept">
        <p>
          <code>{pruneId}</code> has expired, or was never stored here. Texts are kept for 14 days, and while there is
          room for them; after that the agent has to read again.
        </p>
        <p>
          <a href={toHash(back)}>Back</a>
        </p>
      </Empty>
    );
  }
  if (error !== undefined) return <Trouble error={error} />;
  if (value === undefined) return <Loading />;
  const blocks = value.blocks ?? NO_BLOCKS;
  const dropped = blocks.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return (
    <div class="cut">
      <header class="cut-head">
        <a class="back" href={toHash(back)}>
          ‹ {run === undefined ? "Runs" : "The run"}
        </a>
        <h1>
          {value.tool === undefined ? null : <span class="tool-chip">{value.tool}</span>}
          <span class="cut-path">{value.path ?? pruneId}</span>
        </h1>
        {value.focus === undefined ? (
          <p class="cut-focus none">No question was recorded with this call.</p>
        ) : (
          <p class="cut-focus">
            <q>{value.focus}</q>
          </p>
        )}
        <dl class="figures">
          <div>
            <dt>lines kept</dt>
            <dd class="num">
              {grouped(value.lineCount - dropped)} <small>of {grouped(value.lineCount)}</small>
            </dd>
          </div>
          <div>
            <dt>tokens kept</dt>
            <dd class="num">
              {compact(value.keptTokens)} <small>of {compact(value.rawTokens)}</small>
            </dd>
          </div>
          <div>
            <dt>share</dt>
            <dd class="num">{share(value.keptTokens, value.rawTokens)}</dd>
          </div>
          <div class="minor">
            <dt>raw text</dt>
            <dd class="num">{amount(value.bytes, "bytes")}</dd>
          </div>
          <div class="minor">
            <dt>stored</dt>
            <dd class="num">{moment(value.storedAt, Date.now())}</dd>
          </div>
          <div>
            <dt>id</dt>
            <dd>
              <code>{value.pruneId}</code>
            </dd>
          </div>
        </dl>
        <div class="cut-notes">
          <Legend why={value.why} />
          <Recoveries recoveries={value.recoveries} />
          <ShareCut pruneId={pruneId} />
        </div>
        {value.blocks === undefined ? (
          <p class="hint">Which lines were left out was not recorded with this cut: the whole text is shown.</p>
        ) : null}
      </header>
      <CodeRows
        label="The text as the agent saw it"
        lineCount={value.lineCount}
        blocks={blocks}
        why={value.why}
        lineAt={(line) => pages.at(line - 1)}
        onShow={onShow}
        isRecovered={isRecovered}
        path={value.path}
      />
    </div>
  );
}

function Recoveries({ recoveries }: { readonly recoveries: readonly Recovery[] }) {
  if (recoveries.length === 0) return <p class="recoveries none">Nothing was asked for again.</p>;
  return (
    <p class="recoveries">
      <span aria-hidden="true">↩ </span>
      Asked for again:{" "}
      {recoveries.slice(-4).map(({ ts, tokens, ranges, by }) => (
        <span key={ts} class="recovery num">
          {moment(ts, Date.now())} {ranges.map(({ from, to }) => `${from}–${to}`).join(", ") || "all of it"} (
          {compact(tokens)} tok{by === "person" ? ", by hand" : ""})
        </span>
      ))}
    </p>
  );
}

function recoveredLines(recoveries: readonly Recovery[]): (line: number) => boolean {
  const ranges = recoveries.flatMap((each) => each.ranges);
  return (line) => ranges.some(({ from, to }) => line >= from && line <= to);
}
