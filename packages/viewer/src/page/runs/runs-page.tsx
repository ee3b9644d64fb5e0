// Runs: the list on one side, the open run on the other; on a narrow screen one at a time.
import { pruneIdsIn } from "@jeeves/base/prune-id";
import { useRef, useState } from "preact/hooks";
import type { RunList, RunSummary } from "../../wire.ts";
import { baseName, plural } from "../format.ts";
import { go } from "../router.ts";
import { Empty, Loading, Shell, Trouble } from "../shell/notice.tsx";
import { useFetched, useLive, useNow } from "../use-data.ts";
import { useKeys } from "../use-keys.ts";
import { foldQuiet } from "./fold-quiet.ts";
import { RunItem } from "./run-item.tsx";
import { RunTimeline } from "./run-timeline.tsx";

/** The view "Runs". `run` is the id of the open run. A pasted prune id and Enter open that cut. */
export function RunsPage({ run }: { readonly run: string | undefined }) {
  const version = useLive("runs");
  const now = useNow(20_000);
  const { value, error } = useFetched<RunList>("/api/runs", {}, version);
  const [words, setWords] = useState("");
  const [selected, setSelected] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  const found = (value?.runs ?? []).filter((each) => matches(each, words));
  // A search covers the quiet sessions, too.
  const { shown: runs, quiet } = foldQuiet(found, { isUnfolded: isUnfolded || words !== "", open: run });
  const at = Math.min(selected, runs.length - 1);
  // The keys move in the list only while no run is open; with one open, they move in its timeline.
  const isListActive = run === undefined;

  useKeys({
    "/": () => search.current?.focus(),
    ...(isListActive
      ? {
          j: () => setSelected(Math.min(runs.length - 1, at + 1)),
          k: () => setSelected(Math.max(0, at - 1)),
          ArrowDown: () => setSelected(Math.min(runs.length - 1, at + 1)),
          ArrowUp: () => setSelected(Math.max(0, at - 1)),
          Enter: () => openRun(runs[at]),
        }
      : {}),
  });

  if (error !== undefined && value === undefined) return <Trouble error={error} />;
  if (value === undefined) return <Loading />;
  if (value.runs.length === 0 && run === undefined) return <NoRuns />;
  return (
    <div class={`runs ${run === undefined ? "" : "has-run"}`}>
      <section class="run-list" aria-label="Runs">
        <div class="pane-head">
          <h1>Runs</h1>
          <input
            ref={search}
            type="search"
            placeholder="Search  /"
            aria-label="Search runs"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              const pruneId = pruneIdsIn(words)[0];
              if (pruneId !== undefined) go({ view: "cut", pruneId });
              else openRun(runs[0]);
            }}
          />
        </div>
        <ul>
          {runs.map((each, i) => (
            <li key={each.id}>
              <RunItem run={each} now={now} isOpen={each.id === run} isSelected={isListActive && i === at} />
            </li>
          ))}
        </ul>
        {quiet.length > 0 && words === "" ? (
          <button type="button" class="fold-quiet" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? "Fold" : "Show"} {plural(quiet.length, "session")} without calls
          </button>
        ) : null}
        {runs.length > 0 ? null : pruneIdsIn(words).length > 0 ? (
          <p class="hint">
            <kbd>Enter</kbd> opens this cut.
          </p>
        ) : (
          <p class="hint">No run has these words.</p>
        )}
        {value.total > value.runs.length ? (
          <p class="hint">
            The newest {value.runs.length} of {value.total}.
          </p>
        ) : null}
      </section>
      {run === undefined ? (
        <section class="run-pane idle" aria-label="The chosen run">
          <Empty title="Choose a run">
            <p>
              <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens. What is running now stands first and follows
              itself.
            </p>
          </Empty>
        </section>
      ) : (
        <RunTimeline key={run} id={run} />
      )}
    </div>
  );
}

function openRun(run: RunSummary | undefined): void {
  if (run !== undefined) go({ view: "runs", run: run.id });
}

function matches(run: RunSummary, words: string): boolean {
  const text =
    `${run.title} ${run.agent} ${run.model ?? ""} ${baseName(run.project)} ${run.status} ${run.id}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function NoRuns() {
  return (
    <Empty title="Nothing has been read yet">
      <p>Runs appear here as they happen: those of Jeeves, and the sessions of clients that it is connected to.</p>
      <Shell>jeeves run -p claude "find out why the login test fails"</Shell>
      <p>Or connect a client, and work as usual:</p>
      <Shell>jeeves init claude-code</Shell>
    </Empty>
  );
}
