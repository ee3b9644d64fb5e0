// A haven in files as a dump, and back. Reading is for the one that holds the haven's lock; writing makes a new tree.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "@jeeves/base";
import { DEFAULT_DIGITS, normaliseId, readId } from "../../ids.ts";
import { parseLogLine } from "../../memory/log-line.ts";
import { RudderError } from "../../rudder-error.ts";
import { archivedPlaces } from "../archive.ts";
import { highestNumber } from "../counters.ts";
import { agentFile, readAgentFiles, toAgentFile } from "../files/agent-file.ts";
import { parseAssignmentFile, toAssignmentFile } from "../files/assignment-file.ts";
import { parseFenceFile, toFenceFile } from "../files/fence-file.ts";
import { namesIn, readBytesIfThere, readIfThere } from "../files/read-if-there.ts";
import { parseRunFile, toRunFile } from "../files/run-file.ts";
import { scanArtefacts } from "../index/scan.ts";
import type { Instant } from "../instant.ts";
import { type Layout, layoutOf } from "../layout.ts";
import type { DumpedChange, DumpedLine, DumpedOperation, DumpedTask, HavenDump } from "./haven-dump.ts";

const DIGITS = { digits: DEFAULT_DIGITS };

/** The pages that lie among the artefacts. */
function pagePaths(layout: Layout): readonly (readonly [string, string])[] {
  return [
    ["roadmap", layout.roadmap],
    ["postit", layout.postit],
    ["project", layout.projectMemory],
  ];
}

/** Reads everything; refuses what would be lost: two files with one id, a run file that cannot be read. */
export function readFileDump(haven: string): HavenDump {
  const layout = layoutOf(haven);
  const places = [...scanArtefacts(layout, DIGITS).places, ...archivedPlaces(layout, DIGITS)];
  const seen = new Map<string, string>();
  for (const { id, path } of places) {
    const other = seen.get(id);
    if (other !== undefined) {
      throw new RudderError("duplicate_id", `${id} is the id of ${other} and ${path}`, {
        hint: "give one of them another id; nothing was moved",
        details: { paths: [other, path] },
      });
    }
    seen.set(id, path);
  }
  const pages = pagePaths(layout).flatMap(([key, path]) => pageAt(key, path));
  for (const name of namesIn(layout.memory)) {
    const key = normaliseId(/^((?:PRD-|E|T)\d+)\.md$/.exec(name)?.[1] ?? "");
    if (key !== undefined) pages.push(...pageAt(key, join(layout.memory, name)));
  }
  const transaction = { read: readBytesIfThere };
  const of = (kind: "prd" | "epic" | "task" | "story"): number =>
    highestNumber(layout, kind, { ...DIGITS, transaction });
  return {
    artefacts: places.map(({ id, path }) => ({ key: id, path, bytes: readFileSync(join(haven, path)) })),
    tasks: readTasks(layout),
    pages,
    lines: readLines(layout),
    counters: { prd: of("prd"), epic: of("epic"), task: of("task"), story: of("story") },
    changes: [layout.oldAudit, layout.audit].flatMap(readChanges),
    operations: [layout.oldOperations, layout.operations].flatMap(readOperations),
    agents: readAgentFiles({ layout, ...DIGITS, read: readBytesIfThere }).agents,
  };
}

function pageAt(key: string, path: string): { readonly key: string; readonly bytes: Uint8Array }[] {
  const bytes = readBytesIfThere(path);
  return bytes === undefined ? [] : [{ key, bytes }];
}

function readTasks(layout: Layout): DumpedTask[] {
  const keys = new Set<string>();
  const note = (dir: string, form: RegExp): void => {
    for (const name of namesIn(dir)) {
      const key = normaliseId(form.exec(name)?.[1] ?? "");
      if (key !== undefined) keys.add(key);
    }
  };
  note(layout.runs, /^(T\d+)\.run$/);
  note(join(layout.haven, "fences"), /^(T\d+)\.json$/);
  note(layout.assignments, /^(T\d+)\.yaml$/);
  return [...keys].map((key) => {
    const path = layout.run(key);
    const text = readIfThere(path);
    const run = text === undefined ? undefined : parseRunFile(text, { taskId: key, path });
    const assigned = readIfThere(layout.assignment(key));
    return {
      key,
      fence: parseFenceFile(readIfThere(layout.fence(key)), run?.token ?? 0),
      run,
      assignment: assigned === undefined ? undefined : parseAssignmentFile(assigned, key),
    };
  });
}

function readLines(layout: Layout): DumpedLine[] {
  const lines: DumpedLine[] = [];
  for (const name of namesIn(layout.memory).sort()) {
    const id = /^((?:E|T)\d+)(?:\.sync-\d+)?\.log$/.exec(name)?.[1];
    const read = readId(id ?? "");
    if (id === undefined || read === undefined) continue;
    const key = normaliseId(id) ?? id;
    for (const text of (readIfThere(join(layout.memory, name)) ?? "").split("\n")) {
      if (text.trim() === "") continue;
      if (read.kind === "task") lines.push({ task: key, epic: null, line: text });
      else
        lines.push({ task: normaliseId(parseLogLine(text).taskId ?? "") ?? null, epic: key, line: withoutTask(text) });
    }
  }
  return lines;
}

/** `<time> [T042] [TIP] …` without its task: the row has it. */
function withoutTask(line: string): string {
  return line.replace(/^(\S+) \[T\d+\] (?=\[[A-Z]+\] )/, "$1 ");
}

function readChanges(path: string): DumpedChange[] {
  return recordsIn(path).flatMap(({ seq, at, monotonic_ms: _clock, ...detail }) =>
    typeof seq === "number" && typeof at === "string" ? [{ seq, at, detail }] : [],
  );
}

function readOperations(path: string): DumpedOperation[] {
  return recordsIn(path).flatMap(({ id, call, at, value }) => {
    const atMs = isRecord(at) ? Number(at.wallMs) : Number.NaN;
    if (typeof id !== "string" || typeof call !== "string" || !Number.isFinite(atMs)) return [];
    return [{ id, call, atMs, value: value ?? null }];
  });
}

function recordsIn(path: string): Readonly<Record<string, unknown>>[] {
  return (readIfThere(path) ?? "").split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return []; // the empty end, or a line that a kill cut off
    }
  });
}

/** Writes a new tree below `dir`; without `now` no leases and nothing of the past: what people read. */
export function writeFileDump(dir: string, dump: HavenDump, now?: Instant): void {
  const layout = layoutOf(dir);
  const put = (path: string, data: string | Uint8Array): void => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, data, { mode: 0o600 });
  };
  for (const made of [layout.prds, layout.memory, ...(now === undefined ? [] : [layout.runs, layout.assignments])]) {
    mkdirSync(made, { recursive: true, mode: 0o700 });
  }
  for (const { path, bytes } of dump.artefacts) put(join(dir, path), bytes);
  const named = new Map(pagePaths(layout));
  for (const { key, bytes } of dump.pages) put(named.get(key) ?? layout.memoryOf(key), bytes);
  const logs = new Map<string, string>();
  for (const { task, epic, line } of dump.lines) {
    const path = layout.log(epic ?? task ?? "");
    const isOfTask = epic !== null && task !== null && /^\S+ \[[A-Z]+\] /.test(line);
    const text = isOfTask ? line.replace(" ", ` [${task}] `) : line;
    logs.set(path, `${logs.get(path) ?? ""}${text}\n`);
  }
  for (const [path, text] of logs) put(path, text);
  if (now === undefined) return;
  put(layout.counters, `${JSON.stringify({ counters: dump.counters }, null, 2)}\n`);
  for (const { key, fence, run, assignment } of dump.tasks) {
    put(layout.fence(key), toFenceFile(fence));
    if (run !== undefined) put(layout.run(key), toRunFile(run));
    if (assignment !== undefined) put(layout.assignment(key), toAssignmentFile(assignment));
  }
  for (const agent of dump.agents) put(agentFile(layout, agent), toAgentFile(agent));
  const changes = dump.changes.map(({ seq, at, detail }) =>
    JSON.stringify({ seq, at, monotonic_ms: monotonicOf(Date.parse(at), now), ...detail }),
  );
  if (changes.length > 0) put(layout.audit, `${changes.join("\n")}\n`);
  const outcomes = dump.operations.map(({ id, call, atMs, value }) => {
    const { bootId, host } = now;
    return JSON.stringify({ id, call, at: { bootId, host, monotonicMs: monotonicOf(atMs, now), wallMs: atMs }, value });
  });
  if (outcomes.length > 0) put(layout.operations, `${outcomes.join("\n")}\n`);
}

function monotonicOf(wallMs: number, now: Instant): number {
  return Math.round(now.monotonicMs - (now.wallMs - wallMs));
}
