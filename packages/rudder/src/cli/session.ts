// The session of a command: the haven, the caller and the terminal. A terminal, a server's `cli` tool and a test all
// start from the same context.
import { randomBytes } from "node:crypto";
import { parseConfig, toConfigMessage } from "@jeeves/kit/config";
import { requireOwnName } from "../agent/agent-names.ts";
import { type Config, configSchema } from "../config.ts";
import type { Clock } from "../haven/instant.ts";
import { locate, type Place } from "../haven/locate.ts";
import type { Operation } from "../haven/store.ts";
import type { Caller } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";
import { type OpenStore, openTaskSession } from "../tasks/open-session.ts";
import type { TaskSession } from "../tasks/session.ts";

/** Where and for whom a command runs. From `cwd` and `env` alone the haven, the caller and the store are found. */
export interface RudderContext {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /**
   * the caller, where the connection tells it (an agent's own socket); else RUDDER_AGENT, or `person`, names it.
   */
  readonly caller?: Caller | undefined;
  /** The name of a person at a terminal, for whom RUDDER_AGENT names no one else. */
  readonly person?: string | undefined;
  /** Where a server serves one haven: known already, and no command can name another. */
  readonly place?: Place | undefined;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The terminal's width; undefined where there is none. */
  readonly columns?: number | undefined;
  /** One store for many calls (a server); without it each call opens its own. */
  readonly openStore?: OpenStore | undefined;
  readonly operation?: Operation | undefined;
  /** What `-` in the place of a text means; absent where there is no input to read. */
  readonly readInput?: (() => Promise<string>) | undefined;
  /** The same as bytes, at most one more than this; for documents, which may be anything. */
  readonly readInputBytes?: ((maxBytes: number) => Promise<Uint8Array>) | undefined;
  /** The terminal shows colours. */
  readonly hasColours?: boolean | undefined;
}

// A pid alone does not name one process: numbers are used again, and every container has its own 1.
const OWN_NAME = `rudder ${process.pid}-${randomBytes(4).toString("hex")}`;

/** The session of one command. */
export interface Session extends TaskSession {
  readonly columns: number | undefined;
  readonly readInput: (() => Promise<string>) | undefined;
  readonly readInputBytes: ((maxBytes: number) => Promise<Uint8Array>) | undefined;
  readonly hasColours: boolean;
  /** Where the words were written: relative paths start here. */
  readonly cwd: string;
}

/**
 * Finds the project and its haven. Throws `denied` for the name of a live agent, `invalid_argument` for the
 * environment.
 */
export async function openSession(
  context: RudderContext,
  options: { readonly root?: string | undefined },
): Promise<Session> {
  const config = readConfig(context.env);
  if (context.place !== undefined && options.root !== undefined) {
    throw new RudderError("denied", "--root cannot be used here: this server serves one project", {
      hint: `leave it out; the project is ${context.place.project}`,
    });
  }
  const place =
    context.place ??
    (await locate({
      cwd: context.cwd,
      root: options.root ?? config.SAILING_PROJECT,
      haven: config.RUDDER_HAVEN,
      home: config.HOME,
      env: context.env,
      signal: context.signal,
    }));
  const caller = context.caller ?? callerOf(config.RUDDER_AGENT ?? context.person);
  const session = openTaskSession({
    place,
    env: context.env,
    caller,
    ttlMs: Math.round(config.RUDDER_LEASE_TTL_S * 1000),
    isServed: context.place !== undefined,
    clock: context.clock,
    signal: context.signal,
    operation: context.operation,
    openStore: context.openStore,
  });
  if (context.caller === undefined && caller.kind === "name") await requireOwnName(session, caller.name);
  const { columns, readInput, readInputBytes, hasColours = false, cwd } = context;
  return { ...session, columns, readInput, readInputBytes, hasColours, cwd };
}

function callerOf(name: string | undefined): Caller {
  return name === undefined ? { kind: "connection", name: OWN_NAME } : { kind: "name", name };
}

/** The last environment that was read: a server asks with every call, and its own does not change. */
let known: { readonly env: NodeJS.ProcessEnv; readonly config: Config } | undefined;

function readConfig(env: NodeJS.ProcessEnv): Config {
  if (known?.env === env && env !== process.env) return known.config;
  const config = parseConfig(configSchema, { env });
  if (config.ok) {
    known = { env, config: config.value };
    return config.value;
  }
  throw new RudderError("invalid_argument", config.issues.map(toConfigMessage).join("; "), {
    hint: "set it to a valid value, or unset it",
  });
}
