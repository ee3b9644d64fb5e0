// The dependencies as a picture, from left to right: an open one has a strong line, a settled one a faint line.
import { useMemo, useState } from "preact/hooks";
import type { HavenTask } from "../../wire.ts";
import { Empty } from "../shell/notice.tsx";
import { layoutGraph, NODE } from "./layout-graph.ts";

/** A picture with more nodes cannot be read. */
const MAX_NODES = 150;
const TITLE_CHARS = 25;

/** At most 150 tasks that have dependencies, open ones first. The edges of the task under the mouse are highlighted. */
export function TaskGraph({ tasks }: { readonly tasks: readonly HavenTask[] }) {
  const [withDone, setWithDone] = useState(true);
  const shown = useMemo(() => choose(tasks, withDone), [tasks, withDone]);
  const graph = useMemo(() => layoutGraph(shown), [shown]);
  const [held, setHeld] = useState<string | undefined>();
  if (graph.edges.length === 0 && tasks.every(({ blockedBy }) => blockedBy.length === 0)) {
    return (
      <Empty title="Nothing waits for anything">
        <p>Every task can be worked on by itself.</p>
      </Empty>
    );
  }
  return (
    <section class="graph" aria-label="Dependencies">
      <p class="graph-tools">
        <label>
          <input type="checkbox" checked={withDone} onChange={(event) => setWithDone(event.currentTarget.checked)} />
          with what is done
        </label>
        {shown.length < tasks.length ? (
          <span class="quiet-text num">
            {shown.length} of {tasks.length} tasks
          </span>
        ) : null}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="graph-scroll" tabIndex={0} aria-label="The picture">
        <svg
          width={graph.width + 24}
          height={graph.height + 24}
          viewBox={`-12 -12 ${graph.width + 24} ${graph.height + 24}`}
          role="img"
          aria-label={`${graph.nodes.length} tasks, ${graph.edges.length} dependencies`}
        >
          {graph.edges.map(({ from, to, isOpen }) => {
            const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
            const [x2, y2] = [to.x, to.y + NODE.height / 2];
            const bend = Math.max(28, Math.abs(x2 - x1) / 2);
            const isNear = held === from.task.id || held === to.task.id;
            return (
              <path
                key={`${from.task.id} ${to.task.id}`}
                class={`edge ${isOpen ? "open" : "settled"} ${isNear ? "near" : ""}`}
                d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
              />
            );
          })}
          {graph.nodes.map(({ task, x, y }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the mouse only highlights its edges; there is no action
            <g
              key={task.id}
              class={`node of-${task.column}`}
              transform={`translate(${x} ${y})`}
              onMouseEnter={() => setHeld(task.id)}
              onMouseLeave={() => setHeld(undefined)}
            >
              <title>{`${task.id} ${task.title} (${task.column}${task.lease === undefined ? "" : `, ${task.lease.holder}`})`}</title>
              <rect width={NODE.width} height={NODE.height} rx={6} />
              <rect class="node-edge" width={3} height={NODE.height} rx={1.5} />
              <text class="node-id" x={12} y={18}>
                {task.id}
                {task.lease === undefined ? "" : ` · ${cut(task.lease.holder, 14)}`}
              </text>
              <text class="node-title" x={12} y={35}>
                {cut(task.title, TITLE_CHARS)}
              </text>
            </g>
          ))}
        </svg>
      </section>
    </section>
  );
}

/** The tasks with a dependency in either direction; open ones are preferred where there are too many. */
function choose(tasks: readonly HavenTask[], withDone: boolean): HavenTask[] {
  const waitedFor = new Set(tasks.flatMap(({ blockedBy }) => blockedBy));
  const bound = tasks.filter((task) => task.blockedBy.length > 0 || waitedFor.has(task.id));
  const open = bound.filter(({ column }) => column !== "done");
  const done = withDone ? bound.filter(({ column }) => column === "done") : [];
  const chosen = new Set([...open, ...done].slice(0, MAX_NODES).map(({ id }) => id));
  return bound.filter(({ id }) => chosen.has(id));
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}
