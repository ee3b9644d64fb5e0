// One run in the list: its title, status, agent, project, age, calls, and the share that was kept.

import type { RunStatus, RunSummary } from "../../wire.ts";
import { ago, baseName, plural, share } from "../format.ts";
import { toHash } from "../router.ts";

const STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  running: "running",
  completed: "completed",
  failed: "failed",
  max_turns: "out of turns",
  cancelled: "cancelled",
  timed_out: "timed out",
  interrupted: "interrupted",
  session: "session",
  unreadable: "unreadable",
};

/** An entry of the list that links to its run. `isOpen`: it is shown beside the list; `isSelected`: the keys are on it. */
export function RunItem({
  run,
  now,
  isOpen,
  isSelected,
}: {
  readonly run: RunSummary;
  readonly now: number;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
}) {
  const { raw, kept } = run.sizes;
  return (
    <a
      class={`run-item ${isSelected ? "selected" : ""}`}
      href={toHash({ view: "runs", run: run.id })}
      aria-current={isOpen ? "true" : undefined}
      ref={isSelected ? intoSight : null}
    >
      <span class="run-title">{run.title}</span>
      <span class="run-meta">
        <StatusMark status={run.status} />
        <span>{[run.agent, baseName(run.project)].filter(Boolean).join(" · ")}</span>
      </span>
      <span class="run-figures">
        <span>{ago(run.endedAt ?? run.startedAt, now)}</span>
        <span>{plural(run.calls, "call")}</span>
        {raw > 0 ? <span class="kept-share num">{share(kept, raw)} kept</span> : null}
      </span>
    </a>
  );
}

/** A run's status as a coloured word. */
export function StatusMark({ status }: { readonly status: RunStatus }) {
  return <span class={`status is-${status}`}>{STATUS_WORDS[status]}</span>;
}

function intoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
