// What the marks beside the lines mean, and how many lines have each.

import type { WhyRun } from "../../wire.ts";
import { plural } from "../format.ts";
import { whyCounts } from "./why.ts";

/** The reasons that occur in `why`, with their number of lines; nothing where there is none. */
export function Legend({ why }: { readonly why: readonly WhyRun[] }) {
  const counts = whyCounts(why);
  if (counts.length === 0) return null;
  return (
    <ul class="legend" aria-label="Why lines were kept">
      {counts.map(({ name, sign, about, lines }) => (
        <li key={name} title={`${plural(lines, "line")}: ${about}`}>
          <span class={`legend-sign why-${name}`} aria-hidden="true">
            {sign}
          </span>
          {name} <span class="num quiet-text">{lines}</span>
        </li>
      ))}
    </ul>
  );
}
