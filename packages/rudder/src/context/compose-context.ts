// Everything that an agent needs for one task, in one bounded text: the task, what it waits for, targets, its
// epic, and what others learned. The task's own fields always stay; the texts are cut with the task as focus.
import { estimateTokens } from "@jeeves/prune";
import { splitArtefact } from "../artefact/front-matter.ts";
import { withoutEmptySections } from "../artefact/sections.ts";
import { findAnywhere } from "../graph/archived-blockers.ts";
import { stateWords } from "../graph/open-blockers.ts";
import type { Place } from "../haven/locate.ts";
import type { HavenStore, StoredArtefact } from "../haven/store.ts";
import { isLive, remainingWords } from "../lease/lease.ts";
import { LEVELS, type LogLine } from "../memory/log-line.ts";
import { RudderError } from "../rudder-error.ts";
import { readVersions } from "../versions/read-versions.ts";
import { cutEnd, fitText, shareTokens } from "./fit-text.ts";

/** Tokens of a context, as we estimate them. */
export const DEFAULT_BUDGET = 6_000;
const SHOWN_EDGES = 20;

interface ContextSources {
  readonly store: HavenStore;
  readonly place: Place;
  readonly signal: AbortSignal | undefined;
}

/** A composed context; `tokens` is our estimate of its length. */
export interface Context {
  readonly taskId: string;
  readonly text: string;
  readonly tokens: number;
  /** True where something was left out; the text names the command that shows it. */
  readonly isCut: boolean;
}

interface Part {
  readonly title: string;
  readonly text: string;
  readonly rest: string;
}

/** Composes the context of a task. A small budget cuts the texts first, and in the end the fields too. */
export async function composeContext(
  sources: ContextSources,
  request: { readonly taskId: string; readonly budget?: number },
): Promise<Context> {
  const { store } = sources;
  const { taskId } = request;
  const budget = request.budget ?? DEFAULT_BUDGET;
  const task = await store.artefact(taskId);
  const body = bodyOf(task);
  const focus = `${task.artefact.title}. ${task.artefact.tags.join(" ")} ${body.slice(0, 600)}`;
  const head = await headOf(sources, task);
  const parts: Part[] = [
    { title: "Task text", text: body, rest: `rudder artifact show ${taskId}` },
    ...(await epicParts(store, task)),
    ...(await memoryParts(store, task)),
  ].filter((part) => part.text !== "");
  const tail = `Log what others should know: rudder task log ${taskId} "…" --tip. When it is done: rudder assign release ${taskId}.`;
  const titles = parts.map((part) => `\n\n## ${part.title}\n`);
  const fixed =
    estimateTokens(head) + estimateTokens(tail) + titles.reduce((sum, title) => sum + estimateTokens(title) + 2, 4);
  const shares = shareTokens(
    parts.map((part) => estimateTokens(part.text)),
    budget - fixed,
  );
  const texts: string[] = [];
  let isCut = false;
  for (const [index, part] of parts.entries()) {
    sources.signal?.throwIfAborted();
    const text = await fitText(part.text, { tokens: shares[index] ?? 0, focus, rest: part.rest });
    isCut ||= text !== part.text;
    texts.push(`${titles[index]}${text}`);
  }
  const whole = `${head}${texts.join("")}\n\n${tail}`;
  // Where even the fields exceed the budget, the end is cut off with a notice.
  const text = cutEnd(whole, { tokens: budget, notice: `[rest: rudder task show ${taskId}]` });
  return { taskId, text, tokens: estimateTokens(text), isCut: isCut || text !== whole };
}

function bodyOf(stored: StoredArtefact): string {
  const body = stored.text.slice(splitArtefact(stored.text).bodyStart);
  // The first heading repeats the id and the title, which stand above already.
  return withoutEmptySections(withoutTitle(body));
}

async function headOf(sources: ContextSources, task: StoredArtefact): Promise<string> {
  const { store } = sources;
  const { artefact } = task;
  const dependents = await store.dependentsOf(task.id);
  const others = await findAnywhere(store, [
    ...artefact.blockedBy.slice(0, SHOWN_EDGES),
    ...dependents.slice(0, SHOWN_EDGES),
  ]);
  const describe = (id: string): string =>
    `- ${id} [${stateWords(others.get(id))}] ${others.get(id)?.title ?? ""}`.trimEnd();
  const edges = (title: string, ids: readonly string[]): string[] => {
    if (ids.length === 0) return [];
    const rest = ids.length - SHOWN_EDGES;
    const more = rest > 0 ? [`- … ${rest} more: rudder deps show ${task.id}`] : [];
    return ["", title, ...ids.slice(0, SHOWN_EDGES).map(describe), ...more];
  };
  const lease = await store.lease(task.id);
  const nowMs = lease === undefined ? 0 : await store.now();
  const lines = [
    `# ${task.id}: ${artefact.title}`,
    `status ${artefact.status ?? "unknown"} · effort ${artefact.effort} · priority ${artefact.priority}` +
      (artefact.tags.length > 0 ? ` · tags ${artefact.tags.join(", ")}` : ""),
    `parent ${[artefact.prd, artefact.epic].filter(Boolean).join("/")} · file ${artefact.path}`,
    ...(lease === undefined || !isLive(lease, nowMs)
      ? []
      : [`held by ${lease.holder.name}, ${remainingWords(lease, nowMs)} left`]),
    ...edges("Waits for:", artefact.blockedBy),
    ...edges("Waiting for this:", dependents),
  ];
  const targets = Object.entries(artefact.targets);
  if (targets.length > 0) {
    const current = await readVersions(sources.place.project, sources);
    lines.push("", "Target versions:");
    for (const [name, version] of targets) {
      lines.push(`- ${name} ${current.find((one) => one.name === name)?.version ?? "?"} → ${version}`);
    }
  }
  return lines.join("\n");
}

async function epicParts(store: HavenStore, task: StoredArtefact): Promise<Part[]> {
  const { epic } = task.artefact;
  if (epic === undefined) return [];
  try {
    const stored = await store.artefact(epic);
    const title = `Epic ${epic}: ${stored.artefact.title} [${stored.artefact.status ?? "unknown"}]`;
    return [{ title, text: bodyOf(stored) || "(no text)", rest: `rudder artifact show ${epic}` }];
  } catch (error) {
    if (!(error instanceof RudderError)) throw error;
    return [{ title: `Epic ${epic}`, text: error.message, rest: "rudder deps validate" }];
  }
}

async function memoryParts(store: HavenStore, task: StoredArtefact): Promise<Part[]> {
  const { epic, prd } = task.artefact;
  const own = await store.log(task.id);
  const epicLog = epic === undefined ? [] : await store.log(epic);
  const unsynced = epic === undefined ? [] : await siblingLines(store, task);
  // Progress of siblings (info) is left out: only what they learned helps others.
  const learned = [...epicLog, ...unsynced].filter((line) => line.taskId !== task.id && line.level !== "info");
  const parts: Part[] = [
    { title: `Log of ${task.id}`, text: own.map(lineWords).join("\n"), rest: `rudder task show-memory ${task.id}` },
    {
      title: `Learned in ${epic ?? ""}`,
      text: bySeverity(learned).map(lineWords).join("\n"),
      rest: `rudder memory show ${epic ?? ""}`,
    },
  ];
  for (const [id, title] of [
    [epic, `Memory of ${epic ?? ""}`],
    [prd, `Memory of ${prd ?? ""}`],
    ["project", "Project memory"],
  ] as const) {
    const page = id === undefined ? undefined : await store.memory(id);
    if (page !== undefined)
      parts.push({ title, text: withoutEmptySections(withoutTitle(page)), rest: `rudder memory show ${id}` });
  }
  return parts;
}

/** A tip counts from the moment it is logged, not from the next sync. */
async function siblingLines(store: HavenStore, task: StoredArtefact): Promise<LogLine[]> {
  const { epic } = task.artefact;
  const siblings = epic === undefined ? [] : (await store.tasksOf(epic)).filter((one) => one.id !== task.id);
  return [...(await store.unsyncedLog(siblings.map((one) => one.id)))];
}

function bySeverity(lines: readonly LogLine[]): LogLine[] {
  const rank = (line: LogLine): number => (line.level === "tip" ? LEVELS.indexOf("error") : LEVELS.indexOf(line.level));
  return [...lines].sort((a, b) => rank(b) - rank(a) || (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

function lineWords(line: LogLine): string {
  const task = line.taskId === undefined ? "" : ` ${line.taskId}`;
  const files = line.files === undefined ? "" : ` (${line.files.join(", ")})`;
  const command = line.command === undefined ? "" : ` [$ ${line.command}]`;
  const snippet = line.snippet === undefined ? "" : `\n  ${line.snippet.replace(/\n/g, "\n  ")}`;
  return `- ${line.level.toUpperCase()}${task}: ${line.message.replace(/\n/g, "\n  ")}${files}${command}${snippet}`;
}

function withoutTitle(page: string): string {
  return page.replace(/^\s*# .*(?:\r?\n|$)/, "");
}
