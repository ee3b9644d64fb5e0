// The product's own doors, asked about one recorded result after the other: the interceptor for a client's tools, the
// command door for what jeeves-exec would have held back. They read the transcript as far as it was written then. The
// meter and the store are in memory, and hold one session.
import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

const EXEC_PATH = "jeeves-exec";

/** @param {{ product: object, policy: string, dir: string }} parts `dir`: an empty directory of our own */
export function createDoors({ product, policy, dir }) {
  const env = { JEEVES_STATE_DIR: dir, HOME: dir, JEEVES_POLICY: policy, JEEVES_MODE: "on" };
  const transcriptPath = join(dir, "transcript.jsonl");
  const engine = product.createInProcessEngine();
  const signal = new AbortController().signal;
  const store = { put: async (given) => ({ pruneId: idOf(given) }), get: async () => undefined };
  let session;

  /** A session begins: nothing of the one before is known. */
  function open(name, client) {
    close();
    const entries = [];
    const meter = {
      record: async (entry) => void entries.push({ ts: new Date().toISOString(), ...entry }),
      entriesOf: async () => entries,
      sessionOf: async () => undefined,
    };
    const real = product.createCutter({ engine, store, meter, env });
    const asked = [];
    const cutter = {
      ...real,
      cut: async (request) => {
        const result = await real.cut(request);
        asked.push({ request, result });
        return result;
      },
    };
    const interceptor = product.createInterceptor({
      cutter,
      store,
      meter,
      env,
      project: dir,
      root: dir,
      onUnknownShape: () => {},
    });
    session = { name, client, entries, meter, cutter, interceptor, asked, file: openSync(transcriptPath, "w") };
  }

  function close() {
    if (session !== undefined) closeSync(session.file);
    session = undefined;
  }

  async function ask(work) {
    const { entries, asked } = session;
    const before = entries.length;
    asked.length = 0;
    await work();
    const [only] = asked;
    return only && { ...only, entry: entries.slice(before).find(({ kind }) => kind === "cut") };
  }

  function handle(moment, { tool, id, input, response }) {
    const event = { moment, tool, input, response, callId: id, sessionId: session.name, transcriptPath };
    const call = { client: session.client, maxChars: undefined, signal, rules: async () => ({}) };
    return session.interceptor.handle({ ...event, cwd: dir, execPath: EXEC_PATH }, call);
  }

  /** Codex' hook rewrites the command; Claude Code runs every command under the launcher, which has the same rules. */
  async function isHeld({ id, command }) {
    if (session.client !== "codex") return product.isHeld(command);
    return (await handle("PreToolUse", { tool: "Bash", id, input: { command } }))?.kind === "rewrite";
  }

  return {
    open,
    close,
    /** The transcript as far as it is written. */
    write: (line) => void writeSync(session.file, `${line}\n`),
    /** What was asked for again, where the session has not been seen to do so. */
    noteRecovery({ pruneId, tokens, contextTokens }) {
      const isKnown = session.entries.some((one) => one.kind === "recovered" && one.prune_id === pruneId);
      if (isKnown) return;
      const sizes = { raw_tokens: tokens, kept_tokens: tokens, context_tokens: contextTokens, prune_id: pruneId };
      session.entries.push({ ts: new Date().toISOString(), kind: "recovered", ...sizes });
    },
    /** Before a tool runs: the product notes which file is edited. */
    async before(step) {
      const { PreToolUse } = session.client === "codex" ? product.CODEX_MATCHERS : product.CLAUDE_MATCHERS;
      const isObject = typeof step.input === "object" && step.input !== null;
      if (isObject && matches(PreToolUse, step.tool)) await handle("PreToolUse", step);
    },
    /** { request, result, entry } where the pipeline was asked; undefined where the result goes through untouched. */
    async after(step, output, nth) {
      if (output.command !== undefined) {
        const { command, text, exitCode } = output;
        if (!(await isHeld({ id: `${step.id}/${nth}`, command }))) return undefined;
        const { name, client, cutter, meter } = session;
        const given = { command, text, exitCode, client, session: name, project: dir, transcriptPath, signal };
        return ask(() => product.cutCommandOutput(given, { cutter, meter, env }));
      }
      const { PostToolUse } = session.client === "codex" ? product.CODEX_MATCHERS : product.CLAUDE_MATCHERS;
      const isObject = typeof step.input === "object" && step.input !== null;
      if (!isObject || !matches(PostToolUse, step.tool)) return undefined;
      return ask(() => handle("PostToolUse", { ...step, response: output.response }));
    },
  };
}

function matches(pattern, tool) {
  return new RegExp(`^(?:${pattern})$`).test(tool);
}

/** As long as a real one; equal where text, focus and options are. */
function idOf({ text, focus, options }) {
  const hex = createHash("sha256")
    .update(JSON.stringify([text, focus, options]))
    .digest("hex");
  return `prn_${hex.slice(0, 12).replace(/[0189]/g, "k")}`;
}
