// a stored text belongs to the projects that it was cut in; recover_text gives it to their sessions alone.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDiskStore } from "@jeeves/state";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTempDir, type Server, startServer } from "./server-under-test.ts";
import { pythonModule, RETRY_QUESTION } from "./texts.ts";

let dir: string;
let remove: () => Promise<void>;
const running: Server[] = [];
const text = pythonModule();

beforeAll(async () => {
  const made = await makeTempDir();
  [dir, remove] = [made.path, made.remove];
  for (const name of ["a", "b"]) {
    mkdirSync(join(dir, name, ".git"), { recursive: true });
    writeFileSync(join(dir, name, ".git", "HEAD"), "ref: refs/heads/main\n");
    mkdirSync(join(dir, name, "sub"));
    writeFileSync(join(dir, name, "orders.py"), text);
    writeFileSync(join(dir, name, "sub", "orders.py"), text);
  }
});
afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
  await remove();
});

async function startIn(name: string): Promise<Server> {
  const server = await startServer({ root: join(dir, name), stateDir: join(dir, "state") });
  running.push(server);
  return server;
}
const cutIn = async (server: Server): Promise<string> =>
  (await server.call("read", { file_path: "orders.py", context_focus_question: RETRY_QUESTION })).structuredContent
    .pruning.prune_id;

it("X-61 what was cut in one project is not there for another, in the words for an id that never was", async () => {
  const [a, below, b] = await Promise.all([startIn("a"), startIn("a/sub"), startIn("b")]);
  const pruneId = await cutIn(a);
  // The repository is the project, wherever in it the session began.
  for (const own of [a, below])
    expect((await own.call("recover_text", { prune_id: pruneId })).structuredContent.content).toBe(text);
  const refused = await b.call("recover_text", { prune_id: pruneId });
  const unknown = await b.call("recover_text", { prune_id: "prn_aaaaaaaaaaaa" });
  expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "prune_id_not_found" } } });
  expect(JSON.stringify(refused).replaceAll(pruneId, "ID")).toBe(
    JSON.stringify(unknown).replaceAll("prn_aaaaaaaaaaaa", "ID"),
  );
  // The same text, cut here too: the same id, and now both have it.
  expect(await cutIn(b)).toBe(pruneId);
  for (const own of [a, b])
    expect((await own.call("recover_text", { prune_id: pruneId })).structuredContent.content).toBe(text);
});

it("X-61 a text of an older version, without a project, is given to no session; what came in by /rpc, where all may ask, is", async () => {
  const store = createDiskStore({ env: { JEEVES_STATE_DIR: join(dir, "state") } });
  const put = async (text: string, tool: string) =>
    (await store.put({ text, focus: "", options: {}, source: { tool } })).pruneId;
  const [older, open] = [await put("older", "read"), await put("open", "prune_text")];
  const server = await startIn("a");
  expect(await server.call("recover_text", { prune_id: older })).toMatchObject({ isError: true });
  expect((await server.call("recover_text", { prune_id: open })).content[0].text).toBe("open");
  expect(await store.get(older)).toMatchObject({ text: "older", source: { tool: "read" }, projects: [] });
});

it("X-61 a stored text of a file, or of its matches, that a rule forbids now is refused by recover_text and by the hook", async () => {
  const root = join(dir, "a");
  const start = async (name: string) => {
    const env = { JEEVES_RESULT_FORM: "both" };
    const stateDir = join(dir, "state");
    const server = await startServer({ root: join(dir, name), stateDir, clientName: "claude-code", env });
    running.push(server);
    return server;
  };
  const [server, below] = [await start("a"), await start("a/sub")];
  const cut = async (by: Server, tool: string, args: object): Promise<string> =>
    (await by.call(tool, { ...args, context_focus_question: RETRY_QUESTION })).structuredContent.pruning.prune_id;
  writeFileSync(join(root, "sub", "late.py"), `${text}\n# late\n`);
  const ids = [
    await cut(server, "read", { file_path: "orders.py" }),
    await cut(server, "grep", { pattern: ".", path: "orders.py" }),
    await cut(below, "read", { file_path: "late.py" }),
  ];
  const hook = async (pruneId: string) => {
    const file = join(dir, "state", "store", pruneId.charAt(4), `${pruneId}.txt`);
    const event = { hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: file }, cwd: root };
    return JSON.parse((await server.call("jeeves_hook", event)).content[0].text).hookSpecificOutput ?? {};
  };
  for (const id of ids) {
    expect((await server.call("recover_text", { prune_id: id })).isError).toBeUndefined();
    expect(await hook(id)).toMatchObject({ permissionDecision: "allow" });
  }
  mkdirSync(join(root, ".claude"));
  const settings = join(root, ".claude", "settings.json");
  writeFileSync(settings, JSON.stringify({ permissions: { deny: ["Read(./orders.py)", "Read(/sub/late.py)"] } }));
  for (const id of ids) {
    const refused = await server.call("recover_text", { prune_id: id });
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "permission_denied" } } });
    expect(refused.content[0].text).toMatch(/is on the deny list: Read\(.*\.py\) in .*settings\.json/);
    const denied = await hook(id);
    expect(denied).toMatchObject({ permissionDecision: "deny" });
    expect(denied.permissionDecisionReason).toContain(settings);
  }
  writeFileSync(settings, "{}");
  for (const id of ids) expect((await server.call("recover_text", { prune_id: id })).isError).toBeUndefined();
});

it("X-61 a session above gets the texts of plain directories below, not those of a repository below", async () => {
  mkdirSync(join(dir, "plain"));
  writeFileSync(join(dir, "plain", "orders.py"), `${text}\n# plain\n`);
  const [a, plain, above] = await Promise.all([startIn("a"), startIn("plain"), startIn(".")]);
  const recovers = async (pruneId: string) =>
    (await above.call("recover_text", { prune_id: pruneId })).isError === undefined;
  expect(await recovers(await cutIn(plain))).toBe(true);
  expect(await recovers(await cutIn(a))).toBe(false);
});

it("X-61 what this session was shown of a repository below comes back to it", async () => {
  const session = { CLAUDE_CODE_SESSION_ID: "the-session" };
  const server = await startServer({ root: dir, stateDir: join(dir, "state"), env: session });
  const inner = await startServer({ root: join(dir, "b"), stateDir: join(dir, "state"), env: session });
  running.push(server, inner);
  const pruneId = await cutIn(inner);
  expect((await server.call("recover_text", { prune_id: pruneId })).structuredContent.content).toBe(text);
});

it("X-61 read and grep of a session whose root holds the state directory show no stored text and no token", async () => {
  const a = await startIn("a");
  const pruneId = await cutIn(a);
  const file = join("state", "store", pruneId.charAt(4), `${pruneId}.txt`);
  writeFileSync(join(dir, "state", "token"), "sesame\n", { mode: 0o600 });
  mkdirSync(join(dir, "tmp", `jeeves-${process.getuid?.()}`, "store"), { recursive: true });
  writeFileSync(join(dir, "tmp", `jeeves-${process.getuid?.()}`, "store", "x.txt"), text);
  symlinkSync(join(dir, "state"), join(dir, "linked-state"));
  symlinkSync(join(dir, file), join(dir, "innocent.txt"));
  // The state directory may itself be named by a link.
  for (const state of ["state", "linked-state"]) {
    const env = { TMPDIR: join(dir, "tmp") };
    const above = await startServer({ root: dir, stateDir: join(dir, state), env });
    running.push(above);
    const paths = [file, file.replace("state", "linked-state"), join(dir, file), "innocent.txt"];
    for (const path of paths) {
      const refused = await above.call("read", { file_path: path });
      expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "permission_denied" } } });
      expect(refused.content[0].text).toMatch(/recover_text/);
    }
    expect(await above.call("read", { file_path: "state/token" })).toMatchObject({ isError: true });
    expect(await above.call("grep", { pattern: ".", path: "state/store" })).toMatchObject({ isError: true });
    const fallback = join("tmp", `jeeves-${process.getuid?.()}`, "store");
    expect(await above.call("grep", { pattern: ".", path: fallback })).toMatchObject({ isError: true });
    const found = await above.call("grep", { pattern: "retry_delay|sesame" });
    const names = found.structuredContent.matches.map(({ path }: { path: string }) => path);
    expect(names).toContain("a/orders.py");
    expect(names.filter((name: string) => /store\/|token|innocent/.test(name))).toEqual([]);
  }
});
