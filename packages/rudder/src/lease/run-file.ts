// A lease as the file `runs/T042.run` (RU-11): YAML that people can read. A file without our own fields (another
// program's, or a person's) is a lease by a bare connection that ends a full term after it started.
import { isMap, parseDocument, stringify } from "yaml";
import { RudderError } from "../rudder-error.ts";
import { toIso } from "./instant.ts";
import { DEFAULT_TTL_MS, type Lease } from "./lease.ts";

export function toRunFile(lease: Lease): string {
  return stringify({
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
  });
}

export function parseRunFile(text: string, context: { readonly taskId: string; readonly path: string }): Lease {
  const document = parseDocument(text, { schema: "failsafe" });
  if (document.errors.length > 0 || !isMap(document.contents)) throw broken(context);
  const fields: Record<string, unknown> = document.toJS();
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

function count(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function broken(context: { readonly taskId: string; readonly path: string }): RudderError {
  return new RudderError("broken_state", `${context.path} is no run file`, {
    hint: `if nobody works on ${context.taskId}, delete that file; else repair it`,
    details: { path: context.path },
  });
}
