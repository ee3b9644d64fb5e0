// The figures by tool, by project, by client: one row each, the largest bill first.

import type { SavingsPart } from "../../wire.ts";
import { baseName, compact, dollars, grouped, percent } from "../format.ts";

/** `usd` is the price of a million plain input tokens. */
export function PartsTable({
  title,
  parts,
  usd,
  isPath = false,
}: {
  readonly title: string;
  readonly parts: readonly SavingsPart[];
  readonly usd: number;
  readonly isPath?: boolean;
}) {
  if (parts.length === 0) return null;
  const largest = Math.max(1, ...parts.map(({ bill }) => bill));
  return (
    <section class="parts-table">
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{title.replace("By ", "")}</th>
            <th scope="col" class="num">
              cuts
            </th>
            <th scope="col">bill</th>
            <th scope="col" class="num">
              tokens
            </th>
            <th scope="col" class="num">
              net
            </th>
            <th scope="col" class="num">
              share
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.name}>
              <th scope="row" title={part.name}>
                {(isPath ? baseName(part.name) : part.name) || "(unknown)"}
              </th>
              <td class="num">{grouped(part.cuts)}</td>
              <td class="part-bar" title={`${grouped(part.bill)} tokens in ${grouped(part.sessions)} sessions`}>
                <span class="part-raw" style={{ width: `${(part.bill / largest) * 100}%` }} />
              </td>
              <td class="num">{compact(part.bill)}</td>
              <td class={`num ${part.net < 0 ? "loss" : ""}`} title={dollars((part.net / 1_000_000) * usd)}>
                {compact(part.net)}
              </td>
              {/* Without a transcript there is no bill to have a share of. */}
              <td class="num">{part.bill > 0 ? percent(part.net, part.bill + part.net) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
