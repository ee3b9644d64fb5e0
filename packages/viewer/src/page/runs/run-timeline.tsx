// One run: its figures, its calls as bars, and its timeline, which is read window by window however long it is.
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Step, TimelineView, TimelineWindow } from "../../wire.ts";
import { getJson } from "../api.ts";
import { grouped } from "../format.ts";
import { go } from "../router.ts";
import { Empty, Loading, Trouble } from "../shell/notice.tsx";
import { useFetched, useLive } from "../use-data.ts";
import { useKeys } from "../use-keys.ts";
import { useMedia } from "../use-media.ts";
import { usePages } from "../use-pages.ts";
import { VirtualList } from "../virtual-list.tsx";
import { RecordDrawer } from "./record-drawer.tsx";
import { RunHead } from "./run-head.tsx";
import { StepRow } from "./step-row.tsx";

const PAGE_STEP = 12;
const SCAN_PAUSE_MS = 50;

/** The pane of one run. A large log is indexed over several requests, and the share that is done is shown meanwhile. */
export function RunTimeline({ id }: { readonly id: string }) {
  const live = useLive("run", id);
  const [view, setView] = useState<TimelineView>("steps");
  const [active, setActive] = useState(-1);
  const [opened, setOpened] = useState<number | undefined>();
  const [scans, setScans] = useState(0);
  const isNarrow = useMedia("(max-width: 760px)");
  const version = live + scans;
  // With one row only: this request is for the run and the number of rows.
  const { value, error } = useFetched<TimelineWindow>("/api/timeline", { id, view, from: 0, count: 1 }, version);
  const load = useCallback(
    async (from: number, count: number, signal: AbortSignal): Promise<readonly Step[]> =>
      (await getJson<TimelineWindow>("/api/timeline", { id, view, from, count }, signal)).steps,
    [id, view],
  );
  const pages = usePages<Step>({ key: `${id} ${view}`, version, load });
  // The first rows are requested at the same time as the total, not after it.
  useEffect(() => pages.show(0, 1), [pages.show]);
  const total = value?.total ?? 0;
  const isRunning = value?.run.status === "running";

  const move = (by: number) => setActive((at) => (total === 0 ? at : Math.max(0, Math.min(total - 1, at + by))));
  const open = (step: Step | undefined) => {
    if (step === undefined) return;
    const pruneId = step.call?.pruneId;
    if (pruneId !== undefined) go({ view: "cut", pruneId, run: id });
    else setOpened(step.line);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(PAGE_STEP),
    PageUp: () => move(-PAGE_STEP),
    Home: () => setActive(0),
    End: () => setActive(total - 1),
    Enter: () => open(pages.at(active)),
    e: () => switchView(view === "steps" ? "events" : "steps"),
    Escape: () => (opened === undefined ? go({ view: "runs" }) : setOpened(undefined)),
  });
  const switchView = (next: TimelineView) => {
    setView(next);
    setActive(-1);
    setOpened(undefined);
  };

  // The server indexes a large log over several requests, each answered with what is indexed so far.
  const isScanning = value !== undefined && value.indexedShare < 1;
  // Each answer causes the next request
  useEffect(() => {
    if (!isScanning) return;
    const timer = setTimeout(() => setScans((before) => before + 1), SCAN_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isScanning, value?.indexedShare]);

  if (error !== undefined && value === undefined) {
    return (
      <section class="run-pane" aria-label="The chosen run">
        <Trouble error={error} />
        <p class="center">
          <a href="#/runs">Back to the runs</a>
        </p>
      </section>
    );
  }
  if (value === undefined) return <Loading />;
  return (
    <section class="run-pane" aria-label="The chosen run">
      <RunHead run={value.run} bars={value.bars} />
      <div class="timeline-tools">
        <fieldset class="segmented">
          <legend class="sr">What is listed</legend>
          {(["steps", "events"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={view === each} onClick={() => switchView(each)}>
              {each === "steps" ? "Turns and calls" : "Every event"}
            </button>
          ))}
        </fieldset>
        <span class="num quiet-text" role="status">
          {isScanning ? `reading the log: ${Math.floor(value.indexedShare * 100)}%` : `${grouped(total)} rows`}
        </span>
      </div>
      {value.isCapped ? (
        <p class="hint">The first {grouped(total)} are listed; the rest is under “Every event”.</p>
      ) : null}
      {total === 0 ? (
        <Empty title="No event yet">
          <p>They appear here as the agent works.</p>
        </Empty>
      ) : (
        <VirtualList
          key={view}
          className="timeline"
          label="Timeline"
          total={total}
          rowHeight={isNarrow ? 76 : 46}
          active={active}
          idOf={(index) => `step-${index}`}
          onShow={pages.show}
          follow={isRunning}
          row={(index) => (
            <StepRow
              index={index}
              total={total}
              step={pages.at(index)}
              isActive={index === active}
              isRunning={isRunning}
              onOpen={(step) => {
                setActive(index);
                open(step);
              }}
            />
          )}
        />
      )}
      {opened === undefined ? null : <RecordDrawer run={id} line={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
}
