// A lease as the file `runs/T042.run` (RU-11): YAML that people can read. Its end is counted on the boot's monotonic
// clock, which only the file store knows. A file without our own fields (another program's, or a person's) is a
// lease by a bare connection that ends a full term after it started.
import { parseCount } from "@jeeves/base";
import { currentProcess, livenessOf, type ProcessIdentity } from "@jeeves/state";
import { isMap, parseDocument } from "yaml";
import { toIso } from "../../iso-time.ts";
import { toJsonLine } from "../../json-line.ts";
import { DEFAULT_TTL_MS, type Lease } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import type { Instant } from "../instant.ts";

/** A lease, and what files need to know about its end and its holder. */
export interface Run extends Omit<Lease, "isHolderGone"> {
  /** Which boot of which machine the monotonic end belongs to. */
  readonly bootId: string;
  readonly host: string;
  readonly expiresMonotonicMs: number;
  /** The process that a bare connection belongs to; undefined where that is unknown. */
  readonly process?: ProcessIdentity | undefined;
  /** Its server has seen the bare connection end. */
  readonly isLeft: boolean;
}

/** The same text for every YAML reader, and for `readPlain`. */
const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9:._+-]*[A-Za-z0-9])?$/;

/** The text of a run file. */
export function toRunFile(run: Run): string {
  const { process } = run;
  const fields: Readonly<Record<string, string | number>> = {
    taskId: run.taskId,
    operation: run.operation,
    started_at: toIso(run.startedAtMs),
    pid: run.pid,
    holder: run.holder.name,
    holder_kind: run.holder.kind,
    token: run.token,
    ttl_ms: run.ttlMs,
    expires_at: toIso(run.expiresAtMs),
    expires_monotonic_ms: run.expiresMonotonicMs,
    boot_id: run.bootId,
    host: run.host,
    ...(process === undefined
      ? {}
      : {
          process_pid: process.pid,
          process_start: process.startTicks,
          process_boot: process.bootId,
          process_space: process.space,
        }),
    ...(run.isLeft ? { holder_left: "true" } : {}),
  };
  return toPlainYaml(fields);
}

/** One field a line; what is not plain is quoted as JSON, which every YAML reader understands. */
export function toPlainYaml(fields: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${PLAIN.test(String(value)) ? value : toJsonLine(String(value))}\n`)
    .join("");
}

/** What a run file holds; throws where it is none. */
export function parseRunFile(text: string, context: { readonly taskId: string; readonly path: string }): Run {
  const fields = readPlain(text) ?? readYaml(text);
  if (fields === undefined) throw broken(context);
  const word = (name: string): string => {
    const value = fields[name];
    return typeof value === "string" ? value : "";
  };
  const startedAtMs = Date.parse(word("started_at"));
  if (!Number.isFinite(startedAtMs)) throw broken(context);
  const pid = count(word("pid")) ?? 0;
  const ttlMs = count(word("ttl_ms")) ?? DEFAULT_TTL_MS;
  const end = Date.parse(word("expires_at"));
  const monotonic = count(word("expires_monotonic_ms"));
  const own = monotonic !== undefined && Number.isFinite(end) && word("holder") !== "";
  const processPid = count(word("process_pid"));
  return {
    taskId: context.taskId,
    holder: {
      kind: own && word("holder_kind") === "name" ? "name" : "connection",
      name: own ? word("holder") : `process ${pid}`,
    },
    token: count(word("token")) ?? 0,
    operation: word("operation"),
    startedAtMs,
    pid,
    // Not ours: the boot and the host of no machine, so that the wall clock decides.
    bootId: own ? word("boot_id") : "unknown",
    host: own ? word("host") : "",
    expiresMonotonicMs: monotonic ?? 0,
    expiresAtMs: own ? end : startedAtMs + ttlMs,
    ttlMs,
    ...(processPid === undefined
      ? {}
      : {
          process: {
            pid: processPid,
            startTicks: count(word("process_start")) ?? 0,
            bootId: word("process_boot"),
            space: word("process_space"),
          },
        }),
    isLeft: word("holder_left") === "true",
  };
}

/** What is left of a run; zero or less when it has ended. */
export function runRemainingMs(
  run: Pick<Run, "bootId" | "host" | "expiresMonotonicMs" | "expiresAtMs" | "ttlMs">,
  now: Instant,
): number {
  if (run.bootId === now.bootId) {
    // Without a boot id (not Linux) a clock behind the claim's start can only mean a restart.
    const started = run.expiresMonotonicMs - run.ttlMs;
    if (run.bootId === "" && now.monotonicMs < started) return 0;
    return run.expiresMonotonicMs - now.monotonicMs;
  }
  // The same machine has been restarted: no process of the holder can have survived that.
  if (run.host === now.host) return 0;
  // The monotonic clock of another machine cannot be compared: the wall clock has to do.
  return run.expiresAtMs - now.wallMs;
}

/** A run as a lease whose end is on the store's clock of this moment; `isGone` where that is known already. */
export function toLease(run: Run, now: Instant, isGone?: boolean): Lease {
  const { bootId: _boot, host: _host, expiresMonotonicMs: _monotonic, process, isLeft, ...lease } = run;
  const isBare = run.holder.kind === "connection";
  return {
    ...lease,
    expiresAtMs: now.wallMs + runRemainingMs(run, now),
    isHolderGone: isBare && (isLeft || (isGone ?? isDead(process))),
  };
}

function isDead(who: ProcessIdentity | undefined): boolean {
  if (who === undefined) return true;
  const here = currentProcess();
  const isSelf = who.pid === here.pid && who.startTicks === here.startTicks && who.bootId === here.bootId;
  return !isSelf && livenessOf(who) === "dead";
}

/** The other way round, for a lease whose end was decided at this moment. */
export function toRun(lease: Lease, now: Instant, process: ProcessIdentity | undefined): Run {
  const { isHolderGone, ...rest } = lease;
  return {
    ...rest,
    bootId: now.bootId,
    host: now.host,
    expiresMonotonicMs: now.monotonicMs + (lease.expiresAtMs - now.wallMs),
    ...(lease.holder.kind === "connection" && process !== undefined ? { process } : {}),
    isLeft: lease.holder.kind === "connection" && isHolderGone,
  };
}

/** Our own form, line by line: a call may read many leases, and a YAML parser is slow. */
function readPlain(text: string): Readonly<Record<string, unknown>> | undefined {
  const fields: Record<string, unknown> = {};
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const at = line.indexOf(": ");
    const value = line.slice(at + 2);
    if (at < 1) return undefined;
    if (PLAIN.test(value)) fields[line.slice(0, at)] = value;
    else {
      try {
        fields[line.slice(0, at)] = JSON.parse(value);
      } catch {
        return undefined;
      }
    }
  }
  return fields;
}

function readYaml(text: string): Readonly<Record<string, unknown>> | undefined {
  const document = parseDocument(text, { schema: "failsafe" });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  return document.toJS();
}

function count(text: string): number | undefined {
  return parseCount(text, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

function broken(context: { readonly taskId: string; readonly path: string }): RudderError {
  return new RudderError("broken_state", `${context.path} is no run file`, {
    hint: `if nobody works on ${context.taskId}, delete that file; else repair it`,
    details: { path: context.path },
  });
}
