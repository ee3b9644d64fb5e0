// The next id of each kind (RU-08): `state.json {"counters":{…}}`. An id is never given twice: not after its file was
// deleted (the counter remembers), not after files came in by a merge (the highest on disk counts too).
import { isRecord } from "@jeeves/base";
import { writeFileAtomic } from "@jeeves/state";
import { type Digits, formatId, KINDS, type Kind, MAX_NUMBER, readId } from "../ids.ts";
import { RudderError } from "../rudder-error.ts";
import type { Layout } from "./layout.ts";
import { readIfThere } from "./read-if-there.ts";
import { scanArtefacts } from "./scan.ts";

export async function takeId(layout: Layout, kind: Kind, digits: Digits): Promise<string> {
  const state = readState(layout);
  const counters = isRecord(state.counters) ? state.counters : {};
  const counted = counters[kind];
  const places = scanArtefacts(layout, { digits, kind }).places;
  const highest = Math.max(0, ...places.map((place) => readId(place.id)?.number ?? 0));
  const number = Math.max(Number.isSafeInteger(counted) ? Number(counted) : 0, highest) + 1;
  if (number > MAX_NUMBER) throw usedUp(layout, kind);
  const all = Object.fromEntries(KINDS.map((one) => [one, one === kind ? number : (counters[one] ?? 0)]));
  await writeFileAtomic(layout.counters, `${JSON.stringify({ ...state, counters: all }, null, 2)}\n`);
  return formatId({ kind, number }, digits);
}

function usedUp(layout: Layout, kind: Kind): RudderError {
  return new RudderError("broken_state", `there is no ${kind} id after ${MAX_NUMBER}`, {
    hint: `a file or ${layout.counters} has a number that nobody can have counted up to: mend it`,
  });
}

/** Fields that others keep in the same file stay. */
function readState(layout: Layout): Record<string, unknown> {
  const text = readIfThere(layout.counters);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below.
  }
  throw new RudderError("broken_state", `${layout.counters} is not JSON`, {
    hint: "repair it, or delete it: counting then goes on after the highest id that has a file",
    details: { path: layout.counters },
  });
}
