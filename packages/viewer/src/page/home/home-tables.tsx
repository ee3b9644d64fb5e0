// The tables of the overview.
import type { Overview } from "../../overview.ts";
import { baseName, compact, grouped, moment, percent, plural } from "../format.ts";

const MAX_TOOLS = 5;

interface Props {
  readonly overview: Overview;
}

/** The bill by part, with the largest tools. */
export function PartsOfBill({ overview: { parts, bill } }: Props) {
  const tools = new Set(parts.filter(({ isTool }) => isTool).slice(0, MAX_TOOLS));
  return (
    <section class="parts-table">
      <h2>The bill by part</h2>
      <table>
        <tbody>
          {parts
            .filter((part) => !part.isTool || tools.has(part))
            .map(({ name, cost, isTool }) => (
              <tr key={`${name} ${isTool}`} class={isTool ? "of-tool" : ""}>
                <th scope="row">{name}</th>
                <td class="part-bar">
                  <span class="part-raw" style={{ width: `${(cost / Math.max(1, bill)) * 100}%` }} />
                </td>
                <td class="num">{compact(cost)}</td>
                <td class="num">{percent(cost, bill)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

/** What each policy would have saved and lost. */
export function PolicyTable({ overview: { replay } }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls sideways, by keyboard too
    <section class="parts-table policy-table" tabIndex={0} aria-label="What Jeeves would have done">
      <h2>What Jeeves would have done (replayed)</h2>
      {replay.sessions === 0 ? (
        <p class="hint">No session could be replayed.</p>
      ) : (
        <>
          <table>
            <thead>
              <tr>
                {["policy", "cuts", "saved", "lost", "net", "of the bill", "sessions that lose"].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {replay.policies.map(({ policy, cuts, saved, lost, net, netShare, sessionsThatLose }) => (
                <tr key={policy}>
                  <th scope="row">{policy}</th>
                  <td class="num">{grouped(cuts)}</td>
                  <td class="num">{compact(saved)}</td>
                  <td class="num">{compact(lost)}</td>
                  <td class={`num ${net < 0 ? "loss" : ""}`}>{compact(net)}</td>
                  <td class="num">{percent(netShare, 1)}</td>
                  <td class="num">
                    {grouped(sessionsThatLose)} of {grouped(replay.sessions)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">
            The newest {plural(replay.sessions, "session")}, {percent(replay.billShare, 1)} of the bill,{" "}
            {plural(replay.results, "result")} of 400 tokens or more. A replay cannot show a run that goes astray for
            want of a line; jeeves trial can.
          </p>
        </>
      )}
    </section>
  );
}

/** Failing commands whose output the client had cut. */
export function FailuresTable({ overview: { cutFailures } }: Props) {
  if (cutFailures.count === 0) return null;
  return (
    <section class="parts-table">
      <h2>Failures that the client had cut</h2>
      <table>
        <tbody>
          {cutFailures.newest.map(({ client, session, at, tool, isBlind }) => (
            <tr key={`${session} ${at}`}>
              <th scope="row">{tool}</th>
              <td>{client}</td>
              <td class="num">{moment(at, Date.now())}</td>
              <td>{isBlind ? "no failure was left" : "a failure was left"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Files whose text came into one context more than once. */
export function AgainTable({ overview: { readAgain } }: Props) {
  if (readAgain.reads === 0) return null;
  return (
    <section class="parts-table">
      <h2>Read twice, unchanged ({plural(readAgain.files, "file")})</h2>
      <table>
        <tbody>
          {readAgain.worst.map(({ path, reads, tokens }) => (
            <tr key={path}>
              <th scope="row" title={path}>
                {baseName(path)}
              </th>
              <td class="num">{plural(reads, "time")}</td>
              <td class="num">{compact(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
