// A run's figures: agent, project, duration, and how much of what it read was kept.

import type { RunSummary, TimelineWindow } from "../../wire.ts";
import { amount, baseName, duration, grouped, moment, share } from "../format.ts";
import { useNow } from "../use-data.ts";
import { StatusMark } from "./run-item.tsx";

/** The heading of a run. The duration counts on while the run goes on; calls are drawn as bars from the second one on. */
export function RunHead({ run, bars }: { readonly run: RunSummary; readonly bars: TimelineWindow["bars"] }) {
  const now = useNow(1000);
  const end = run.endedAt === undefined ? now : Date.parse(run.endedAt);
  const tookMs = run.status === "running" || run.endedAt !== undefined ? end - Date.parse(run.startedAt) : Number.NaN;
  const { raw, kept, recovered, unit } = run.sizes;
  return (
    <header class="run-head">
      <a class="back" href="#/runs">
        ‹ Runs
      </a>
      <h1 class="run-head-title">{run.title}</h1>
      <p class="run-head-meta">
        <StatusMark status={run.status} />
        <span>{[run.agent, run.model].filter(Boolean).join(" · ")}</span>
        <span title={run.project}>{baseName(run.project)}</span>
        <span class="num">{moment(run.startedAt, Date.now())}</span>
        {tookMs >= 0 ? <span class="num">{duration(tookMs)}</span> : null}
      </p>
      {run.message === undefined ? null : <p class="run-message">{run.message}</p>}
      <div class="run-sums">
        <dl class="figures">
          <Figure name="calls" value={grouped(run.calls)} />
          <Figure name="raw" value={amount(raw, unit)} />
          <Figure name="kept" value={amount(kept, unit)} note={raw > 0 ? share(kept, raw) : ""} />
          <Figure name="recovered" value={amount(recovered, unit)} />
          {run.failedCalls > 0 ? <Figure name="failed" value={String(run.failedCalls)} /> : null}
        </dl>
        <Strip bars={bars} />
      </div>
    </header>
  );
}

function Figure({ name, value, note = "" }: { readonly name: string; readonly value: string; readonly note?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="num">
        {value} {note === "" ? null : <small>{note}</small>}
      </dd>
    </div>
  );
}

const MAX_BAR_PX = 16;

/** A bar for each call (or a few of them): the whole height is its raw size, the filled part what was kept. */
function Strip({ bars }: { readonly bars: TimelineWindow["bars"] }) {
  if (bars.length < 2) return null;
  const largest = Math.max(...bars.map(({ raw }) => raw));
  const width = 4;
  const height = 40;
  // Square roots, so that one large file does not flatten all the others.
  const scale = (value: number) => (Math.sqrt(value) / Math.sqrt(largest)) * height;
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${bars.length * width} ${height}`}
      preserveAspectRatio="none"
      style={{ maxWidth: `${bars.length * MAX_BAR_PX}px` }}
      role="img"
      aria-label="Raw and kept size of each call, in order"
    >
      {bars.map((bar, i) => (
        // Bars have no identity but their place
        <g key={i}>
          <rect class="strip-raw" x={i * width} width={width - 1} y={height - scale(bar.raw)} height={scale(bar.raw)} />
          <rect
            class="strip-kept"
            x={i * width}
            width={width - 1}
            y={height - scale(Math.min(bar.kept, bar.raw))}
            height={scale(Math.min(bar.kept, bar.raw))}
          />
        </g>
      ))}
    </svg>
  );
}
