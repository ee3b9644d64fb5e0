// The hooks of opencode: before a tool runs, and after. Small results and calls that cannot concern us are not asked about.
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isRecord, PRUNE_ID_PATTERN } from "@jeeves/base";
import { sessionFactsOf } from "@jeeves/intercept/opencode-session";
import { fallbackStateDir, resolveStateDir } from "@jeeves/state";
import { createHookServer } from "./hook-server.ts";

/** What opencode gives to a plugin, as far as it is used here. */
interface PluginInput {
  readonly directory: string;
  readonly client: {
    readonly session: {
      messages(request: {
        readonly path: { readonly id: string };
        readonly query: { readonly limit: number };
      }): Promise<{ readonly data?: unknown }>;
    };
  };
}

/** What the plugin file has put down. */
interface PluginOptions {
  readonly launcher: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** How our server is called in opencode's settings. */
  readonly ownServer: string;
  readonly waitMs?: number;
}

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

type Fields = Record<string, unknown>;

/** About 400 tokens: smaller results are never cut. */
const MIN_CHARS = 1_600;
const EDITS = new Set(["edit", "write", "multiedit", "patch", "apply_patch"]);
/** How the markers begin that an edit must not write (intercept/src/hook/marker-guard.ts). */
const MARKER = /⟦|\[rest: |\(filtered /;
const STORED = new RegExp(`\\b${PRUNE_ID_PATTERN}\\b`);
/** Messages that are asked for; more where the user's words are further back. */
const LIMITS = [40, 400];
const FACTS_WAIT_MS = 10_000;

/** Makes the hooks of one opencode. */
export function createHooks(input: PluginInput, { ownServer, ...start }: PluginOptions) {
  const { directory, client } = input;
  const server = createHookServer({ ...start, cwd: directory });
  const whole = { ...process.env, ...start.env };
  const stores = [resolveStateDir(whole), fallbackStateDir(whole)].map((dir) => join(dir, "store"));

  return {
    /** Stored texts lie outside of every project. Each read of one is judged below before it happens. */
    config: async (config: Fields) => allowStores(config, stores),

    "tool.execute.before": async ({ tool, sessionID, callID }: Call, { args }: { readonly args: unknown }) => {
      if (!isRecord(args)) return;
      const isStored = await namesStored(args);
      const isEdit = EDITS.has(tool) && (server.isRunning || MARKER.test(JSON.stringify(args)));
      if (!isStored && !isEdit) return;
      const answer = await server.ask(toEvent("PreToolUse", { tool, sessionID, callID }, args));
      const reason = refusalIn(answer) ?? (answer === undefined && isStored ? "Stored texts cannot be read now." : "");
      if (reason !== "") throw new Error(reason);
    },

    "tool.execute.after": async (
      { tool, sessionID, callID, args }: Call & { readonly args: unknown },
      output: Fields,
    ) => {
      if (tool.startsWith(`${ownServer}_`)) return;
      // A recovery is counted, however short its result is.
      if (charsIn(output) < MIN_CHARS && !STORED.test(JSON.stringify(args))) return;
      const event = toEvent("PostToolUse", { tool, sessionID, callID }, isRecord(args) ? args : {});
      const facts = await factsOf(sessionID);
      const answer = await server.ask({ ...event, tool_response: toResponse(output), session_facts: facts });
      const { updatedToolOutput: updated } = fieldsIn(answer);
      if (isRecord(updated)) Object.assign(output, updated);
    },
  };

  function toEvent(moment: string, { tool, sessionID, callID }: Call, args: Fields): Fields {
    const call = { tool_name: tool, tool_input: args, tool_use_id: callID, session_id: sessionID };
    return { hook_event_name: moment, ...call, cwd: directory, own_server: ownServer };
  }

  async function namesStored(args: Fields): Promise<boolean> {
    if (STORED.test(JSON.stringify(args))) return true;
    for (const path of [args.filePath, args.path]) {
      if (typeof path !== "string") continue;
      const place = resolve(directory, path);
      const real = await realpath(place).catch(() => place);
      if (stores.some((store) => `${place}/`.startsWith(`${store}/`) || `${real}/`.startsWith(`${store}/`)))
        return true;
    }
    return false;
  }

  async function factsOf(sessionID: string): Promise<unknown> {
    const late = new Promise<undefined>((done) => setTimeout(done, FACTS_WAIT_MS, undefined).unref());
    return Promise.race([readFacts(sessionID).catch(() => undefined), late]);
  }

  async function readFacts(id: string) {
    for (const limit of LIMITS) {
      const { data } = await client.session.messages({ path: { id }, query: { limit } });
      const facts = sessionFactsOf(data);
      if (facts.user !== undefined || limit === LIMITS.at(-1)) return facts;
    }
    return undefined;
  }
}

/** Only where the user has no rule of their own for all outside directories. */
function allowStores(config: Fields, stores: readonly string[]): void {
  const { permission } = config;
  if (permission !== undefined && !isRecord(permission)) return;
  const { external_directory: outside } = permission ?? {};
  if (outside !== undefined && !isRecord(outside)) return;
  // The last rule that matches wins: the user's rules come behind ours.
  const allowed = Object.fromEntries(stores.map((store) => [`${store}/*`, "allow"]));
  config.permission = { ...permission, external_directory: { ...allowed, ...outside } };
}

function charsIn({ output, content, metadata }: Fields): number {
  // opencode has cut this output; the rest of it is in a file.
  if (isRecord(metadata) && metadata.truncated === true && typeof metadata.outputPath === "string") return MIN_CHARS;
  if (typeof output === "string") return output.length;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return isRecord(first) && typeof first.text === "string" ? first.text.length : 0;
}

/** The fields that our hook reads, without those that are only for the screen. */
function toResponse({ output, content, metadata }: Fields): Fields {
  if (typeof output !== "string") return { content };
  const { exit, truncated, outputPath } = isRecord(metadata) ? metadata : {};
  return { output, metadata: { exit, truncated, outputPath } };
}

function fieldsIn(answer: Readonly<Fields> | undefined): Readonly<Fields> {
  const fields = answer?.hookSpecificOutput;
  return isRecord(fields) ? fields : {};
}

function refusalIn(answer: Readonly<Fields> | undefined): string | undefined {
  const { permissionDecision, permissionDecisionReason: reason } = fieldsIn(answer);
  return permissionDecision === "deny" && typeof reason === "string" ? reason : undefined;
}
