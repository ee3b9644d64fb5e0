// The board: four columns, a card per task. A claimed task shows its holder and the rest of its lease.
import { useMemo } from "preact/hooks";
import type { HavenTask, TaskColumn } from "../../wire.ts";
import { countdown } from "../format.ts";
import { useNow } from "../use-data.ts";

const COLUMNS: readonly { readonly name: TaskColumn; readonly title: string; readonly none: string }[] = [
  { name: "ready", title: "Ready", none: "Nothing can be taken up." },
  { name: "claimed", title: "Claimed", none: "Nobody works on anything." },
  { name: "blocked", title: "Blocked", none: "Nothing waits." },
  { name: "done", title: "Done", none: "Nothing is done yet." },
];
/** The count above a column includes the cards that are not shown. */
const MAX_CARDS = 200;

/** At most 200 cards in each column. Leases count down between two answers of the server, from the time of the last one. */
export function Board({
  tasks,
  epics,
  seenAt,
}: {
  readonly tasks: readonly HavenTask[];
  readonly epics: readonly { readonly id: string; readonly title: string }[];
  /** The server's answer that the lease times come from; its identity marks the time at which they were right. */
  readonly seenAt: object;
}) {
  // Taken anew with each answer
  const fromMs = useMemo(() => Date.now(), [seenAt]);
  const now = useNow(1000);
  const titles = useMemo(() => new Map(epics.map(({ id, title }) => [id, title])), [epics]);
  return (
    <div class="board">
      {COLUMNS.map(({ name, title, none }) => {
        const here = tasks.filter(({ column }) => column === name);
        return (
          <section key={name} class={`column of-${name}`} aria-label={title}>
            <h2>
              {title} <span class="num count">{here.length}</span>
            </h2>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <ul tabIndex={0} aria-label={`${title} tasks`}>
              {here.slice(0, MAX_CARDS).map((task) => (
                <Card
                  key={task.id}
                  task={task}
                  epic={titles.get(task.epic ?? "")}
                  elapsedMs={Math.max(0, now - fromMs)}
                />
              ))}
              {here.length === 0 ? <li class="hint">{none}</li> : null}
              {here.length > MAX_CARDS ? <li class="hint">and {here.length - MAX_CARDS} more</li> : null}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Card({
  task,
  epic,
  elapsedMs,
}: {
  readonly task: HavenTask;
  readonly epic: string | undefined;
  readonly elapsedMs: number;
}) {
  const { lease } = task;
  const leftMs = lease === undefined ? 0 : Math.max(0, lease.remainingMs - elapsedMs);
  return (
    <li class={`card priority-${task.priority}`} data-task={task.id}>
      <p class="card-top">
        <span class="task-id num">{task.id}</span>
        {task.priority === "high" || task.priority === "critical" ? <span class="flag">{task.priority}</span> : null}
        <span class="effort" title="effort">
          {task.effort}
        </span>
      </p>
      <p class="card-title">{task.title}</p>
      {epic === undefined ? null : <p class="card-epic">{epic}</p>}
      {lease === undefined ? null : (
        <p class="lease">
          <Avatar name={lease.holder} />
          <span class="holder">{lease.holder}</span>
          <span class="num left" title={`lease, ${lease.operation}`}>
            {leftMs > 0 ? countdown(leftMs) : "over"}
          </span>
          <span class="lease-bar" aria-hidden="true">
            <span style={{ width: `${Math.min(100, (leftMs / Math.max(1, lease.ttlMs)) * 100)}%` }} />
          </span>
        </p>
      )}
      {task.waitsFor.length > 0 && task.column !== "done" ? (
        <p class="waits">
          waits for <span class="num">{task.waitsFor.slice(0, 4).join(", ")}</span>
          {task.waitsFor.length > 4 ? ` and ${task.waitsFor.length - 4} more` : ""}
        </p>
      ) : null}
      {task.status === "In Progress" && lease === undefined ? <p class="waits">left by its holder</p> : null}
      {task.status === "Cancelled" ? <p class="waits">cancelled</p> : null}
      {task.problem === undefined ? null : <p class="card-problem">{task.problem}</p>}
    </li>
  );
}

/** The first letter of a name in a colour that depends on the name alone; hidden from screen readers. */
export function Avatar({ name }: { readonly name: string }) {
  const hue = [...name].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 8, 7);
  return (
    <span class={`avatar hue-${hue}`} aria-hidden="true">
      {(name.match(/[\p{L}\p{N}]/u)?.[0] ?? "?").toUpperCase()}
    </span>
  );
}
