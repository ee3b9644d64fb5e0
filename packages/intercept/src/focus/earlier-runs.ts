// what earlier runs of a command showed the model, from the end of the session's transcript. Only results that are
// still part of the session's own context count, and no subagent's.
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { realPlaceOf } from "@jeeves/base";
import type { EarlierRuns } from "@jeeves/cut";
import { commandInProgram, showsAll } from "../codex/program.ts";
import { inContext } from "../transcript/in-context.ts";
import { commandIn, type ShellCall } from "../transcript/read-target.ts";
import { readRecord } from "./read-record.ts";
import { LOOK_AGAIN_MS, MAX_LOOKS, readLongTail } from "./session-tail.ts";

/** At most so many runs of one command are read. */
const MAX_RUNS = 10;
const NONE: EarlierRuns = { results: [], isLastPart: false };

interface Runs {
  /** In their order. */
  readonly results: readonly string[];
  /** Whether a program may have shown a part of what the last one printed. */
  readonly isLastPart: boolean;
  /** Calls without a result, the present one among them. */
  readonly open: number;
}

/**
 * The results, the last one first; none where they are not known, or where the call itself is not in the transcript: then
 * it may be a subagent's, which has seen none of them.
 */
export async function readEarlierRuns(file: string, call: Required<ShellCall>): Promise<EarlierRuns> {
  const dir = await realPlaceOf(call.dir);
  for (let look = 1; ; look++) {
    const { results, open, isLastPart } = await readRuns(file, { command: call.command, dir });
    if (results.length === 0) return NONE;
    if (open === 1) return { results: results.slice(-MAX_RUNS).reverse(), isLastPart };
    // The client writes its transcript asynchronously.
    if (open > 1 || look === MAX_LOOKS) return NONE;
    await delay(LOOK_AGAIN_MS);
  }
}

async function readRuns(file: string, { command, dir }: Required<ShellCall>): Promise<Runs> {
  /** The calls by their ids, and whether what they show may be a part. */
  const open = new Map<string, boolean>();
  const results: string[] = [];
  let isLastPart = false;
  let place: string | undefined;
  const records = sinceNamed(await readLongTail(file), command).flatMap((line) => readRecord(line) ?? []);
  for (const record of inContext(records.filter(({ isSidechain }) => !isSidechain))) {
    place = record.dir ?? place;
    for (const event of record.events) {
      if (event.kind === "result") {
        const isPart = open.get(event.id);
        if (isPart === undefined) continue;
        open.delete(event.id);
        results.push(event.text);
        isLastPart = isPart;
      } else if (event.kind === "call") {
        const own = commandIn(event.input);
        const call = own ?? commandInProgram(event.input);
        if (call?.command !== command || place === undefined) continue;
        if ((await realPlaceOf(resolve(place, call.dir ?? ""))) === dir)
          open.set(event.id, own === undefined && !showsAll(event.input));
      }
    }
  }
  return { results, open: open.size, isLastPart };
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
