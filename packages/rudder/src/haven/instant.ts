// When "now" is for files. A lease is counted on the monotonic clock of the boot, which every process of one
// machine shares and which cannot be set; the wall clock is for people, and for leases that another machine wrote.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { PROC } from "@jeeves/base";

/** A moment by both clocks of a machine. */
export interface Instant {
  /** Empty where the system has none. */
  readonly bootId: string;
  readonly host: string;
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** Tells the present moment; tests give one of their own. */
export type Clock = () => Instant;

let place: { readonly bootId: string; readonly host: string } | undefined;

/** The clocks of this machine. `monotonicMs` counts from its boot, and is the same in every process. */
export const systemClock: Clock = () => {
  place ??= { bootId: readBootId(), host: hostname() };
  // CLOCK_MONOTONIC on Linux: milliseconds since the boot, the same in every process.
  return { ...place, monotonicMs: Number(process.hrtime.bigint() / 1_000_000n), wallMs: Date.now() };
};

function readBootId(): string {
  try {
    return readFileSync(`${PROC}/sys/kernel/random/boot_id`, "utf8").trim();
  } catch {
    return "";
  }
}
