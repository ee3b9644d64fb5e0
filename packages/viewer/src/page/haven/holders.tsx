// Who holds what, in one line.
import type { HavenTask } from "../../wire.ts";
import { Avatar } from "./board.tsx";

const MAX_SHOWN = 12;

/** Each holder of a lease with the ids of their tasks, at most 12 holders. */
export function Holders({ tasks }: { readonly tasks: readonly HavenTask[] }) {
  const held = new Map<string, string[]>();
  for (const { id, lease } of tasks)
    if (lease !== undefined) held.set(lease.holder, [...(held.get(lease.holder) ?? []), id]);
  if (held.size === 0) return <p class="holders quiet-text">Nobody holds a task.</p>;
  return (
    <ul class="holders" aria-label="Who holds what">
      {[...held].slice(0, MAX_SHOWN).map(([name, ids]) => (
        <li key={name}>
          <Avatar name={name} />
          {name} <span class="num quiet-text">{ids.join(" ")}</span>
        </li>
      ))}
      {held.size > MAX_SHOWN ? <li>and {held.size - MAX_SHOWN} more</li> : null}
    </ul>
  );
}
