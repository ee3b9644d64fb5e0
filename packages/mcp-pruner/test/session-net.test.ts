// for the server's own tools: a session whose cuts cost more than they save is no longer cut.
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { meterLinesIn, type Server, startServer } from "./server-under-test.ts";

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});
async function start(options: Parameters<typeof startServer>[0] = {}): Promise<Server> {
  const server = await startServer(options);
  open.push(server);
  return server;
}

const meterOf = ({ stateDir }: Server) => meterLinesIn(stateDir);

/** A real file of a pinned dependency, and a question about it. */
const SOURCE = readFileSync(new URL("../../../node_modules/commander/lib/command.js", import.meta.url), "utf8");
const FOCUS = "How is an unknown option reported, and which similar option is suggested?";
const STOPPED = /this session is no longer cut/;

/** A file of its own each time: the same one again would be a repeat. */
async function read(server: Server, name: string) {
  await writeFile(join(server.root, name), `// ${name}\n${SOURCE}`);
  const { content, structuredContent } = await server.call("read", { file_path: name, context_focus_question: FOCUS });
  const texts: string[] = content.map(({ text }: { text: string }) => text);
  return { texts, pruning: structuredContent.pruning, shownChars: texts[0]?.length ?? 0 };
}
async function recover(server: Server, pruneId: string) {
  const back = await server.call("recover_text", { prune_id: pruneId });
  expect(back.isError ?? false).toBe(false);
}

describe("a session that asks for what was left out", () => {
  it("X-56 gets everything once that cost more than the cuts saved, and reads so once", async () => {
    const server = await start();
    for (const name of ["a.js", "b.js", "c.js", "d.js"]) {
      const { pruning } = await read(server, name);
      expect(pruning).toMatchObject({ applied: true });
      for (let i = 0; i < 2; i++) await recover(server, pruning.prune_id);
    }

    const stopped = await read(server, "e.js");
    expect(stopped.texts[0]).toBe(readFileSync(join(server.root, "e.js"), "utf8"));
    expect(stopped.texts[1]).toMatch(STOPPED);
    expect(stopped.pruning).toMatchObject({ attempted: false, applied: false, reason: "disabled_or_unconfigured" });
    const after = await read(server, "f.js");
    expect(after.texts).toEqual([readFileSync(join(server.root, "f.js"), "utf8")]);
    expect(meterOf(server).filter(({ kind }) => kind === "stopped")).toHaveLength(1);
  });

  it("X-52 a recovery counts for the session that was shown the cut, whichever process cut it", async () => {
    const server = await start({ clientName: "codex-mcp-client", env: { JEEVES_RESULT_FORM: "both" } });
    const { pruning } = await read(server, "a.js");
    // As jeeves-exec writes it in Codex' sandbox, for a text that this server has never seen.
    const cut = {
      kind: "cut",
      session: "thread-7",
      client: "codex",
      tool: "Bash",
      project: "/p",
      raw_tokens: 9,
      kept_tokens: 1,
    };
    const [month = ""] = readdirSync(join(server.stateDir, "meter"));
    const elsewhere = { ...cut, ts: new Date().toISOString(), prune_id: pruning.prune_id };
    const own = meterOf(server).map((entry) => ({ ...entry, session: "thread-1" }));
    const lines = [...own, elsewhere].map((entry) => JSON.stringify(entry));
    await writeFile(join(server.stateDir, "meter", month), `${lines.join("\n")}\n`);
    await recover(server, pruning.prune_id);
    expect(meterOf(server).at(-1)).toMatchObject({
      kind: "recovered",
      session: "thread-7",
      prune_id: pruning.prune_id,
    });
  });
});

it.each(["CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"])(
  "X-52 on stdio the session is the one that %s names; else one of the process's own, until a hook names it",
  async (variable) => {
    const named = await start({ env: { [variable]: "session-1" } });
    await read(named, "a.js");
    expect(new Set(meterOf(named).map(({ session }) => session))).toEqual(new Set(["session-1"]));

    const own = await start();
    await read(own, "a.js");
    await own.call("jeeves_hook", {
      hook_event_name: "PreToolUse",
      session_id: "session-2",
      cwd: own.root,
      tool_name: "Edit",
      tool_input: { file_path: "a.js" },
    });
    await read(own, "b.js");
    const lines = meterOf(own).map(({ kind, session }) => [kind, session.replace(/^mcp-.*/, "mcp")]);
    // What the tools cost is counted once, whatever the session is called later.
    expect(lines).toEqual([
      ["cut", "mcp"],
      ["surface", "mcp"],
      ["cut", "session-2"],
    ]);
  },
);

it("the meter says who asked, what for and how long it took, and what the tools themselves cost", async () => {
  const server = await start({ clientName: "some-client", env: { JEEVES_RUN_ID: "run-1" } });
  const { pruning } = await read(server, "a.js");
  const [cut, surface] = meterOf(server);
  expect(cut).toMatchObject({
    kind: "cut",
    client: "some-client",
    tool: "read",
    project: server.root,
    what: "a.js",
    focus: FOCUS,
    run_id: "run-1",
    prune_id: pruning.prune_id,
    raw_tokens: expect.any(Number),
    kept_tokens: expect.any(Number),
    ms: expect.any(Number),
  });
  expect(surface).toMatchObject({ kind: "surface", session: cut?.session, client: "some-client" });
  // the whole surface is at most 750 tokens.
  expect(surface?.raw_tokens).toBeGreaterThan(100);
  expect(surface?.raw_tokens).toBeLessThan(900);
});
