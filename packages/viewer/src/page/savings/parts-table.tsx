// The sums by tool, by project, by client: one row each, the largest first.

import type { SavingsPart } from "../../wire.ts";
import { baseName, compact, dollars, grouped, share } from "../format.ts";

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
  const largest = Math.max(1, ...parts.map(({ raw }) => raw));
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
            <th scope="col">raw, kept</th>
            <th scope="col" class="num">
              kept
            </th>
            <th scope="col" class="num">
              back
            </th>
            <th scope="col" class="num">
              net
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
              <td class="part-bar" title={`${grouped(part.raw)} raw, ${grouped(part.kept)} kept`}>
                <span class="part-raw" style={{ width: `${(part.raw / largest) * 100}%` }}>
                  <span class="part-kept" style={{ width: `${part.raw === 0 ? 0 : (part.kept / part.raw) * 100}%` }} />
                </span>
              </td>
              <td class="num">{share(part.kept, part.raw)}</td>
              <td class="num">{compact(part.recovered)}</td>
              <td class={`num ${part.net < 0 ? "loss" : ""}`} title={dollars((part.net / 1_000_000) * usd)}>
                {compact(part.net)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
