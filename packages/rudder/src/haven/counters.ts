// The next id of each kind (RU-08): `state.json {"counters":{…}}`. An id is never given twice: not after its file was
// deleted (the counter remembers), not after files came in by a merge (the highest on disk counts too).
import { isRecord } from "@jeeves/base";
import { type Digits, formatId, KINDS, type Kind, MAX_NUMBER, readId } from "../ids.ts";
import { RudderError } from "../rudder-error.ts";
import { archivedPlaces } from "./archive.ts";
import type { Transaction } from "./files/transaction.ts";
import { scanArtefacts } from "./index/scan.ts";
import type { Layout } from "./layout.ts";

interface TakeOptions {
  readonly digits: Digits;
  readonly transaction: Transaction;
  /** The number that the same transaction gave last: no file can have a higher one. */
  readonly counted?: number | undefined;
}

/** The next id of a kind; it is taken when the transaction is committed. */
export function takeId(layout: Layout, kind: Kind, { digits, transaction, counted }: TakeOptions): string {
  const number = (counted ?? highestNumber(layout, kind, { digits, transaction })) + 1;
  if (number > MAX_NUMBER) throw usedUp(layout, kind);
  putCounter(layout, { kind, number }, { digits, transaction });
  return formatId({ kind, number }, digits);
}

/** The highest number of a kind that was given, or that a file has. */
export function highestNumber(
  layout: Layout,
  kind: Kind,
  { digits, transaction }: { readonly digits: Digits; readonly transaction: Pick<Transaction, "read"> },
): number {
  const { counters } = readState(layout, transaction);
  const counted = isRecord(counters) ? counters[kind] : undefined;
  const isCounted = Number.isSafeInteger(counted);
  const places = [...scanArtefacts(layout, { digits, kind }).places];
  // The counter knows archived ids; only where it was lost they are looked for.
  if (!isCounted) places.push(...archivedPlaces(layout, { digits, kind }));
  return Math.max(isCounted ? Number(counted) : 0, highestOf(places));
}

function highestOf(places: readonly { readonly id: string }[]): number {
  let highest = 0;
  for (const { id } of places) highest = Math.max(highest, readId(id)?.number ?? 0);
  return highest;
}

/** Counting goes on after this number. A counter that was lost must not forget archived ids: no later count sees them. */
export function putCounter(
  layout: Layout,
  { kind, number }: { readonly kind: Kind; readonly number: number },
  { digits, transaction }: TakeOptions,
): void {
  const state = readState(layout, transaction);
  const counters = isRecord(state.counters) ? state.counters : {};
  const before = (one: Kind): unknown =>
    Number.isSafeInteger(counters[one]) ? counters[one] : highestOf(archivedPlaces(layout, { digits, kind: one }));
  const all = Object.fromEntries(KINDS.map((one) => [one, one === kind ? number : before(one)]));
  transaction.put(layout.counters, `${JSON.stringify({ ...state, counters: all }, null, 2)}\n`);
}

function usedUp(layout: Layout, kind: Kind): RudderError {
  return new RudderError("broken_state", `there is no ${kind} id after ${MAX_NUMBER}`, {
    hint: `a file or ${layout.counters} has a number that nobody can have counted up to: mend it`,
  });
}

/** Fields that others keep in the same file stay. */
function readState(layout: Layout, transaction: Pick<Transaction, "read">): Record<string, unknown> {
  const text = transaction.read(layout.counters)?.toString("utf8");
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
