// What one command works with: the haven, who is asking, and when. Made from a context that cannot be wrong, so that
// the terminal and the server start from the same place.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import { parseConfig, toConfigMessage } from "@jeeves/kit/config";
import { isMap, parseDocument } from "yaml";
import { openFileStore } from "../haven/file-store.ts";
import { locate, type Place } from "../haven/locate.ts";
import { withOneSnapshot } from "../haven/one-snapshot.ts";
import type { HavenStore } from "../haven/store.ts";
import { DEFAULT_DIGITS, type Digits, KINDS } from "../ids.ts";
import { type Clock, systemClock } from "../lease/instant.ts";
import type { Caller } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";
import { type Config, configSchema } from "./config.ts";

export interface RudderContext {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** who asks, where the way in already tells (an agent's own socket, a connection). */
  readonly caller?: Caller | undefined;
  /** What `env` says, where somebody has read it already (a server, with thousands of calls). */
  readonly config?: Config | undefined;
  /** Where a server serves one haven: known already, and no command can name another. */
  readonly place?: Place | undefined;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The terminal's width; undefined where there is none. */
  readonly columns?: number | undefined;
  /** One store for many calls (a server); without it each call opens its own. */
  readonly openStore?: ((options: { readonly haven: string; readonly digits: Digits }) => HavenStore) | undefined;
}

// A pid alone is not one process for good: numbers are used again, and every container has its own 1.
const OWN_NAME = `rudder ${process.pid}-${randomBytes(4).toString("hex")}`;

export interface Session {
  readonly store: HavenStore;
  readonly place: Place;
  readonly caller: Caller;
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly columns: number | undefined;
  readonly projectHash: string;
  readonly env: NodeJS.ProcessEnv;
  /** The call came in through a server: what starts or ends programs is not for its clients. */
  readonly isServed: boolean;
}

export async function openSession(
  context: RudderContext,
  options: { readonly root?: string | undefined },
): Promise<Session> {
  const value = context.config ?? readConfig(context.env);
  if (context.place !== undefined && options.root !== undefined) {
    throw new RudderError("denied", "--root cannot be used here: this server serves one project", {
      hint: `leave it out; the project is ${context.place.project}`,
    });
  }
  const place =
    context.place ??
    (await locate({
      cwd: context.cwd,
      root: options.root ?? value.SAILING_PROJECT,
      haven: value.RUDDER_HAVEN,
      home: value.HOME,
      env: context.env,
      signal: context.signal,
    }));
  const clock = context.clock ?? systemClock;
  const digits = readDigits(place.project);
  const store = withOneSnapshot((context.openStore ?? openFileStore)({ haven: place.haven, digits }));
  const caller: Caller =
    context.caller ??
    (value.RUDDER_AGENT === undefined
      ? { kind: "connection", name: OWN_NAME }
      : { kind: "name", name: value.RUDDER_AGENT });
  return {
    store,
    place,
    caller,
    ttlMs: Math.round(value.RUDDER_LEASE_TTL_S * 1000),
    clock,
    signal: context.signal,
    columns: context.columns,
    projectHash: place.projectHash,
    env: context.env,
    isServed: context.place !== undefined,
  };
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const config = parseConfig(configSchema, { env });
  if (config.ok) return config.value;
  throw new RudderError("invalid_argument", config.issues.map(toConfigMessage).join("; "), {
    hint: "set it to a valid value, or unset it",
  });
}

/** The last settings that were read: a server asks with every call, and they hardly ever change. */
let known = { text: "", digits: DEFAULT_DIGITS };

/** RU-03: `ids: { task_digits: 4 }` in the project's `.sailing/config.yaml`. */
export function readDigits(project: string): Digits {
  let text: string;
  try {
    text = readFileSync(join(project, ".sailing", "config.yaml"), "utf8");
  } catch {
    return DEFAULT_DIGITS;
  }
  if (text !== known.text) known = { text, digits: parseDigits(text) };
  return known.digits;
}

function parseDigits(text: string): Digits {
  const document = parseDocument(text, { schema: "failsafe" });
  if (document.errors.length > 0 || !isMap(document.contents)) return DEFAULT_DIGITS;
  const fields: unknown = document.toJS();
  const ids = isRecord(fields) && isRecord(fields.ids) ? fields.ids : {};
  const digitsOf = (kind: string): number => {
    const digits = Number(ids[`${kind}_digits`] ?? 3);
    return Number.isInteger(digits) && digits >= 1 && digits <= 9 ? digits : 3;
  };
  const [prd, epic, task, story] = KINDS.map(digitsOf);
  return { prd: prd ?? 3, epic: epic ?? 3, task: task ?? 3, story: story ?? 3 };
}
