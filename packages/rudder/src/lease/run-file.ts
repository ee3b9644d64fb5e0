// A lease as the file `runs/T042.run` (RU-11): YAML that people can read. A file without our own fields (another
// program's, or a person's) is a lease by a bare connection that ends a full term after it started.
import { parseCount } from "@jeeves/base";
import { isMap, parseDocument } from "yaml";
import { toJsonLine } from "../json-line.ts";
import { RudderError } from "../rudder-error.ts";
import { toIso } from "./instant.ts";
import { DEFAULT_TTL_MS, type Lease } from "./lease.ts";

/** The same text for every YAML reader, and for `readPlain`. */
const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9:._+-]*[A-Za-z0-9])?$/;

export function toRunFile(lease: Lease): string {
  const fields: Readonly<Record<string, string | number>> = {
    taskId: lease.taskId,
    operation: lease.operation,
    started_at: toIso(lease.startedAtMs),
    pid: lease.pid,
    holder: lease.holder.name,
    holder_kind: lease.holder.kind,
    ttl_ms: lease.ttlMs,
    expires_at: toIso(lease.expiresAtMs),
    expires_monotonic_ms: lease.expiresMonotonicMs,
    boot_id: lease.bootId,
    host: lease.host,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${PLAIN.test(String(value)) ? value : toJsonLine(String(value))}\n`)
    .join("");
}

export function parseRunFile(text: string, context: { readonly taskId: string; readonly path: string }): Lease {
  const fields = readPlain(text) ?? readYaml(text);
  if (fields === undefined) throw broken(context);
  const word = (name: string): string => (typeof fields[name] === "string" ? (fields[name] as string) : "");
  const startedAtMs = Date.parse(word("started_at"));
  if (!Number.isFinite(startedAtMs)) throw broken(context);
  const pid = count(word("pid")) ?? 0;
  const ttlMs = count(word("ttl_ms")) ?? DEFAULT_TTL_MS;
  const end = Date.parse(word("expires_at"));
  const monotonic = count(word("expires_monotonic_ms"));
  const own = monotonic !== undefined && Number.isFinite(end) && word("holder") !== "";
  return {
    taskId: context.taskId,
    holder: {
      kind: own && word("holder_kind") === "name" ? "name" : "connection",
      name: own ? word("holder") : `process ${pid}`,
    },
    operation: word("operation"),
    startedAtMs,
    pid,
    // Not ours: no boot and no host of anybody, so that the wall clock decides.
    bootId: own ? word("boot_id") : "unknown",
    host: own ? word("host") : "",
    expiresMonotonicMs: monotonic ?? 0,
    expiresAtMs: own ? end : startedAtMs + ttlMs,
    ttlMs,
  };
}

/** Our own form, line by line: a call reads every lease of the haven, and a YAML parser is felt there. */
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
