// Records of agents as files: `agents/T042/agent.json`, and `agent@HOST.json` for one that came here from another machine
// with its haven. Readers take no lock.
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import { type Digits, normaliseId } from "../../ids.ts";
import { fileIdOf, type Layout } from "../layout.ts";
import type { AgentView, StoredAgent } from "../store.ts";
import { namesIn } from "./read-if-there.ts";

const FILE = /^agent(?:@([^@]+))?\.json$/;

/** How paths are read, and how ids are written. */
interface AgentFiles {
  readonly layout: Layout;
  readonly digits: Digits;
  read(path: string): Buffer | undefined;
}

/** Where the record of an agent is. */
export function agentFile(layout: Layout, { taskId, host }: Pick<StoredAgent, "taskId" | "host">): string {
  return join(layout.agents, taskId, host === "" ? "agent.json" : `agent@${encodeURIComponent(host)}.json`);
}

/** The text of a record's file. */
export function toAgentFile({ record }: StoredAgent): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** A file that may hold a record. */
interface AgentPlace {
  readonly path: string;
  readonly taskId: string;
  readonly host: string;
  /** Relative to the haven. */
  readonly shown: string;
}

/** The files of one task, or of all; where two spellings of an id have one, the project's own spelling counts. */
export function agentPlaces({ layout, digits }: Omit<AgentFiles, "read">, taskId?: string): AgentPlace[] {
  const dirs = taskId === undefined ? namesIn(layout.agents) : [...new Set([taskId, fileIdOf(taskId)])];
  const found = new Map<string, AgentPlace>();
  for (const dir of dirs) {
    const id = /^T\d+$/.test(dir) ? normaliseId(dir, digits) : undefined;
    if (id === undefined) continue;
    for (const name of namesIn(join(layout.agents, dir))) {
      const host = hostOf(name);
      const key = `${id}/${host}`;
      if (host === undefined || (found.has(key) && dir !== id)) continue;
      found.set(key, { path: join(layout.agents, dir, name), taskId: id, host, shown: `agents/${dir}/${name}` });
    }
  }
  return [...found.values()];
}

/** The records of one task, or of all. */
export function readAgentFiles(files: AgentFiles, taskId?: string): AgentView {
  const agents: StoredAgent[] = [];
  const broken: string[] = [];
  for (const place of agentPlaces(files, taskId)) {
    const record = parseRecord(files.read(place.path));
    if (record === undefined) broken.push(place.shown);
    else agents.push({ taskId: place.taskId, host: place.host, record });
  }
  return { agents: agents.sort(byTaskAndHost), broken };
}

/** By task, then by machine. */
export function byTaskAndHost(a: StoredAgent, b: StoredAgent): number {
  const number = ({ taskId }: StoredAgent): number => Number(taskId.slice(1));
  return number(a) - number(b) || (a.host < b.host ? -1 : Number(a.host > b.host));
}

function hostOf(name: string): string | undefined {
  const found = FILE.exec(name);
  if (found === null) return undefined;
  try {
    return decodeURIComponent(found[1] ?? "");
  } catch {
    return undefined; // no name that we have written
  }
}

/** The record in a file; undefined where it is none. */
export function parseRecord(bytes: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(bytes?.toString("utf8") ?? "");
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
