// Home: the bill of the last days with the user's clients, and what each policy would have saved; the figures of
// `jeeves look`.
import { useState } from "preact/hooks";
import type { Overview } from "../../overview.ts";
import { compact, grouped, plural } from "../format.ts";
import { Empty, Shell, Trouble } from "../shell/notice.tsx";
import { useFetched, useLive } from "../use-data.ts";
import { AgainTable, FailuresTable, PartsOfBill, PolicyTable } from "./home-tables.tsx";

const RANGES = [
  { name: "24 hours", ms: 86_400_000 },
  { name: "7 days", ms: 604_800_000 },
  { name: "30 days", ms: 2_592_000_000 },
] as const;
/** A week, the default of `jeeves look`. */
const DEFAULT_RANGE = 1;

/** The overview of a period. */
export function HomePage() {
  const [range, setRange] = useState(DEFAULT_RANGE);
  // The overview takes seconds to compute: it is requested again only after the connection was lost.
  const version = useLive("none");
  const { value, error } = useFetched<Overview>("/api/overview", { last: RANGES[range]?.ms }, version);
  return (
    <div class="home scroll">
      <div class="pane-head">
        <h1>Overview</h1>
        <fieldset class="segmented">
          <legend class="sr">Since when</legend>
          {RANGES.map(({ name }, i) => (
            <button key={name} type="button" aria-pressed={i === range} onClick={() => setRange(i)}>
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      <p class="hint">
        Read from the transcripts that Claude Code and Codex keep on this machine. Nothing leaves it, and nothing is
        written to them.
      </p>
      {error !== undefined && value === undefined ? <Trouble error={error} /> : null}
      {value === undefined && error === undefined ? (
        <p class="loading" role="status">
          Reading the transcripts and replaying some of them: some seconds…
        </p>
      ) : null}
      {value === undefined ? null : value.sessions === 0 ? <NoSessions /> : <Figures overview={value} />}
      {value?.skipped.map((line) => (
        <p key={line} class="hint">
          {line}
        </p>
      ))}
    </div>
  );
}

function Figures({ overview }: { readonly overview: Overview }) {
  const { sessions, calls, bill, clients, cutFailures, readAgain, replay } = overview;
  const careful = replay.policies[0];
  return (
    <>
      <p class="headline">
        {plural(sessions, "session")}, {plural(calls, "call")}, {compact(bill)} tokens:{" "}
        {clients.map((client) => `${client.title} ${client.sessions}`).join(", ")}
      </p>
      <dl class="figures wide">
        <Figure name="the bill" value={compact(bill)} note="plain input tokens" />
        <Figure
          name="failures cut away"
          value={grouped(cutFailures.count)}
          note={`by the client; nothing of it left in ${grouped(cutFailures.blind)}`}
        />
        <Figure
          name="read twice"
          value={compact(readAgain.tokens)}
          note={`tokens, in ${plural(readAgain.reads, "read")}`}
        />
        {careful === undefined || replay.sessions === 0 ? null : (
          <Figure
            name={`with ${careful.policy}`}
            value={`${(careful.netShare * 100).toFixed(1).replace("-", "−")} %`}
            note={`less, in ${plural(replay.sessions, "replayed session")}`}
          />
        )}
      </dl>
      <div class="parts">
        <PartsOfBill overview={overview} />
        <PolicyTable overview={overview} />
        <FailuresTable overview={overview} />
        <AgainTable overview={overview} />
      </div>
      <section class="next">
        <h2>Try it on your own work</h2>
        <p>Count what would be saved. Your agent sees no difference:</p>
        <Shell>jeeves setup --shadow</Shell>
        <p>Or cut. jeeves uninstall takes everything out again:</p>
        <Shell>jeeves setup</Shell>
      </section>
    </>
  );
}

function Figure({ name, value, note }: { readonly name: string; readonly value: string; readonly note: string }) {
  return (
    <div class="sum">
      <dt>{name}</dt>
      <dd class="num">
        {value}
        <span class="sum-note">{note}</span>
      </dd>
    </div>
  );
}

function NoSessions() {
  return (
    <Empty title="No session in this time">
      <p>Sessions of Claude Code and Codex appear here. Connect a client:</p>
      <Shell>jeeves setup</Shell>
    </Empty>
  );
}
