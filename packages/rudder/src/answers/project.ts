// The project in one screen, and its versions, for programs and in words.
import type { AllCounts, Counts, Progress, ProjectStatus } from "../tasks/status.ts";
import type { Targets } from "../tasks/versions.ts";
import type { Component } from "../versions/read-versions.ts";
import type { Answer } from "./answer.ts";
import { readyNotes } from "./deps.ts";
import { type TableOptions, toBar, toTable } from "./table.ts";
import { leaseToJson, leaseWords } from "./views.ts";

const SHOWN_EPICS = 8;
const SHOWN_LEASES = 8;
const SHOWN_READY = 5;

/** The whole status. */
export function statusAnswer(status: ProjectStatus, options: TableOptions & { readonly haven: string }): Answer {
  const { counts, epics, leases, ready, graph, nowMs } = status;
  const open = epics.filter((epic) => epic.status !== "Done").sort((a, b) => b.active - a.active || b.total - a.total);
  const held = leases.slice(0, SHOWN_LEASES);
  const parts = [
    countsText(counts),
    section("EPICS", open.slice(0, SHOWN_EPICS).map(epicRow), open.length - SHOWN_EPICS, "rudder epic list", options),
    section(
      "HELD",
      held.map((lease) => [lease.taskId, leaseWords(lease, nowMs), graph.byId.get(lease.taskId)?.title ?? ""]),
      leases.length - SHOWN_LEASES,
      "rudder assign list",
      options,
    ),
    section(
      "READY",
      ready
        .first(SHOWN_READY)
        .map((one) => [one.artefact.id, `unblocks ${one.impact}`, one.artefact.priority, one.artefact.title]),
      ready.length - SHOWN_READY,
      "rudder deps ready",
      options,
    ),
  ];
  return {
    json: {
      haven: options.haven,
      ...counts,
      epics_progress: epics,
      held: leases.map((lease) => leaseToJson(lease, nowMs)),
      ready: ready.length,
      next: ready.first(1)[0]?.artefact.id ?? null,
      cycles: graph.cycles.map((cycle) => [...cycle, cycle[0] ?? ""].join(" → ")),
      problems: status.problems,
    },
    text: parts.filter((part) => part !== "").join("\n\n"),
    notes: readyNotes(status),
  };
}

/** X-28: counts alone. */
export function countsAnswer(counts: AllCounts): Answer {
  return { json: counts, text: countsText(counts) };
}

function countsText(counts: AllCounts): string {
  const words = (one: Counts): string =>
    Object.entries(one)
      .filter(([name, count]) => name !== "total" && count > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  const { prds, epics, tasks } = counts;
  const done = tasks.Done ?? 0;
  const wanted = tasks.total - (tasks.Cancelled ?? 0);
  const lines = [
    `PRDs   ${prds.total}${prds.total === 0 ? "" : `  (${words(prds)})`}`,
    `Epics  ${epics.total}${epics.total === 0 ? "" : `  (${words(epics)})`}`,
    `Tasks  ${tasks.total}${tasks.total === 0 ? "" : `  (${words(tasks)})`}`,
  ];
  if (wanted > 0) lines.push(`${toBar(done, wanted, 30)} ${Math.floor((done / wanted) * 100)} %`);
  return lines.join("\n");
}

function epicRow(epic: Progress): string[] {
  return [epic.id, toBar(epic.done, epic.total, 12), `${epic.done}/${epic.total}`, epic.title];
}

function section(
  title: string,
  rows: readonly string[][],
  rest: number,
  command: string,
  options: TableOptions,
): string {
  if (rows.length === 0) return "";
  const head = [title, ...Array.from({ length: (rows[0]?.length ?? 1) - 1 }, () => "")];
  const more = rest > 0 ? `\n… ${rest} more: ${command}` : "";
  return `${toTable(head, rows, options)}${more}`;
}

/** Every component with its version. */
export function versionsAnswer(components: readonly Component[]): Answer {
  const rows = components.map((one) => [one.name, one.version ?? "?", one.isMain ? "main" : ""]);
  return {
    json: components.map((one) => ({ name: one.name, version: one.version ?? null, main: one.isMain })),
    text: toTable(["COMPONENT", "VERSION", ""], rows) || "no components.yaml and no package.json here",
    notes: components.flatMap((one) => (one.problem === undefined ? [] : [one.problem])),
  };
}

/** The target versions of a task beside the current ones. */
export function targetsAnswer({ id, targets }: Targets): Answer {
  const rows = targets.map((one) => [one.component, one.current ?? "?", one.target]);
  return {
    json: { id, targets },
    text: toTable(["COMPONENT", "CURRENT", "TARGET"], rows) || `${id} has no target versions`,
  };
}
