// Identifies a process beyond its pid, because pids are reused. A boot id and the start time in ticks
// since boot make it unique on one machine.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isProcessThere, PROC, readProcess } from "@jeeves/base";

/** A process, distinguishable from later ones with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Empty where the system has none (then the pid alone decides). */
  readonly bootId: string;
  /** Clock ticks from boot to the start of the process; 0 where unknown. */
  readonly startTicks: number;
  /** Where the pid means something: the host, and on Linux the pid namespace. */
  readonly space: string;
}

/** Whether a process still runs. */
export type Liveness = "alive" | "dead" | "unknown";

let cached: ProcessIdentity | undefined;

/** The identity of this process; read once. */
export function currentProcess(): ProcessIdentity {
  // A fork of this process would carry the cache along; Node has no fork without exec.
  cached ??= {
    pid: process.pid,
    bootId: readBootId(),
    startTicks: readStartTicks(process.pid) ?? 0,
    space: readSpace(),
  };
  return cached;
}

/** Whether a process still runs; "unknown" in a pid namespace, or on a host, that we cannot look into. */
export function livenessOf(who: ProcessIdentity): Liveness {
  const here = currentProcess();
  const sameHost = hostOf(who.space) === hostOf(here.space);
  if (who.bootId !== here.bootId) return sameHost ? "dead" : "unknown";
  if (who.space !== here.space) return "unknown";
  if (!isProcessThere(who.pid)) return "dead";
  if (who.startTicks === 0) return "alive";
  const ticks = readStartTicks(who.pid);
  if (ticks === undefined) return "alive"; // /proc may be hidden from us; the pid answered
  return ticks === who.startTicks ? "alive" : "dead";
}

/** Whether a parsed value has the fields of a process identity. */
export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(fields.pid) &&
    Number(fields.pid) > 0 &&
    typeof fields.bootId === "string" &&
    typeof fields.startTicks === "number" &&
    typeof fields.space === "string"
  );
}

function readBootId(): string {
  try {
    return readFileSync(`${PROC}/sys/kernel/random/boot_id`, "utf8").trim();
  } catch {
    return "";
  }
}

function readStartTicks(pid: number): number | undefined {
  const row = readProcess(pid);
  // One that has ended holds nothing.
  return row?.hasEnded === true ? -1 : row?.startTicks;
}

function readSpace(): string {
  let namespace = "";
  try {
    namespace = readlinkSync(`${PROC}/self/ns/pid`);
  } catch {
    // Not Linux: the host alone.
  }
  return `${hostname()} ${namespace}`;
}

function hostOf(space: string): string {
  return space.slice(0, space.lastIndexOf(" "));
}
