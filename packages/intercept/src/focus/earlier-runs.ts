// what earlier runs of a command showed the model, from the end of the session's transcript. Only results that are
// still part of the session's own context count, and no subagent's.
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { realPlaceOf } from "@jeeves/base";
import { inContext } from "../transcript/in-context.ts";
import { commandIn, type ShellCall } from "../transcript/read-target.ts";
import { readRecord } from "./read-record.ts";
import { LOOK_AGAIN_MS, MAX_LOOKS, readLongTail } from "./session-tail.ts";

/** More runs of one command than are worth a look. */
const MAX_RUNS = 10;

interface Runs {
  /** In their order. */
  readonly results: readonly string[];
  /** Calls without a result: the one that is asked about is among them. */
  readonly open: number;
}

/**
 * The results, the last one first; none where the transcript does not tell, or where the call itself is not in it: then
 * a subagent may have made it, which has seen none of them.
 */
export async function readEarlierRuns(file: string, call: Required<ShellCall>): Promise<readonly string[]> {
  const dir = await realPlaceOf(call.dir);
  for (let look = 1; ; look++) {
    const { results, open } = await readRuns(file, { command: call.command, dir });
    if (results.length === 0) return [];
    if (open === 1) return results.slice(-MAX_RUNS).reverse();
    // The client writes its transcript beside its work.
    if (open > 1 || look === MAX_LOOKS) return [];
    await delay(LOOK_AGAIN_MS);
  }
}

async function readRuns(file: string, { command, dir }: Required<ShellCall>): Promise<Runs> {
  const open = new Set<string>();
  const results: string[] = [];
  let place: string | undefined;
  const records = sinceNamed(await readLongTail(file), command).flatMap((line) => readRecord(line) ?? []);
  for (const record of inContext(records.filter(({ isSidechain }) => !isSidechain))) {
    place = record.dir ?? place;
    for (const event of record.events) {
      if (event.kind === "result") {
        if (open.delete(event.id)) results.push(event.text);
      } else if (event.kind === "call") {
        const call = commandIn(event.input);
        if (call?.command !== command || place === undefined) continue;
        if ((await realPlaceOf(resolve(place, call.dir ?? ""))) === dir) open.add(event.id);
      }
    }
  }
  return { results, open: open.size };
}

/**
 * The records from the first one on that names the command, behind the last one above it that names a directory: most
 * commands run once, and the others need not be read. Codex writes a call's arguments as JSON inside of JSON.
 */
function sinceNamed(tail: string, command: string): readonly string[] {
  const words = JSON.stringify(command).slice(1, -1);
  const inside = JSON.stringify(words).slice(1, -1);
  const lines = tail.split("\n");
  const first = lines.findIndex((line) => line.includes(words) || line.includes(inside));
  if (first < 0) return [];
  let place = first - 1;
  while (place >= 0 && readRecord(lines[place] ?? "")?.dir === undefined) place--;
  return lines.slice(Math.max(0, place));
}
