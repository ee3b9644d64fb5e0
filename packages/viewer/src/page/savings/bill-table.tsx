// The bill by part, and the sessions with a loss.
import type { Savings } from "../../wire.ts";
import { baseName, compact, grouped, percent } from "../format.ts";

/** The parts of the bill with their shares. */
export function BillTable({ savings: { total } }: { readonly savings: Savings }) {
  const parts = [
    ["starting prompt", total.starting, "System prompt, tool lists and memory files, in every call"],
    ["cache misses", total.misses, "Context that was paid for again because the cache no longer had it"],
    ["results of tools", total.results, "By tool in the table below"],
    ["output", total.output, "What the model wrote"],
    ["the rest", total.rest, "The model's own words and yours, read again; summaries"],
  ] as const;
  return (
    <section class="parts-table bill-table">
      <h2>The bill by part</h2>
      <table>
        <tbody>
          {parts.map(([name, tokens, about]) => (
            <tr key={name}>
              <th scope="row" title={about}>
                {name}
              </th>
              <td class="part-bar" title={`${grouped(tokens)} tokens`}>
                <span class="part-raw" style={{ width: `${(tokens / Math.max(1, total.bill)) * 100}%` }} />
              </td>
              <td class="num">{compact(tokens)}</td>
              <td class="num">{percent(tokens, total.bill)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What fills the starting prompt, by name and size: the part of the bill that its user can change. */
export function FillingTable({ savings: { firstPrompt, filling } }: { readonly savings: Savings }) {
  if (filling.length === 0) return null;
  return (
    <section class="parts-table filling-table">
      <h2>A session starts with {compact(firstPrompt)} tokens</h2>
      <table>
        <tbody>
          {filling.map(({ name, tokens }) => (
            <tr key={name}>
              <th scope="row" title={name}>
                {name.startsWith("/") ? baseName(name) : name}
              </th>
              <td class="part-bar">
                <span
                  class="part-raw"
                  style={{ width: `${Math.min(100, (tokens / Math.max(1, firstPrompt)) * 100)}%` }}
                />
              </td>
              <td class="num">{compact(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Sessions in which the cuts cost more than they saved. */
export function LostTable({ savings: { lost, lostCount } }: { readonly savings: Savings }) {
  if (lostCount === 0) return null;
  return (
    <section class="parts-table lost-table">
      <h2>Sessions that lost ({grouped(lostCount)})</h2>
      <table>
        <tbody>
          {lost.map(({ client, project, startedAt, net }) => (
            <tr key={`${startedAt} ${project} ${net}`}>
              <th scope="row" title={project}>
                {baseName(project) || "(unknown)"}
              </th>
              <td>{client}</td>
              <td class="num">{startedAt.slice(0, 10)}</td>
              <td class="num loss">{compact(net)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
