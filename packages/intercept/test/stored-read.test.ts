// a client's own Read of a stored file is allowed for texts of its project, refused for those of another one, and
// every other path is left to the user's own permissions.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskStore } from "@jeeves/state";
import { rgPath } from "@vscode/ripgrep";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toHookOutput } from "../src/index.ts";
import { given } from "./given.ts";

let setUp: Awaited<ReturnType<typeof given>>;
let stateDir = "";
let own = "";
let foreign = "";
beforeEach(async () => {
  stateDir = mkdtempSync(join(tmpdir(), "jeeves-stored-"));
  const env = { JEEVES_STATE_DIR: stateDir };
  const store = createDiskStore({ env });
  setUp = await given(env, store);
  const put = async (text: string, project: string) =>
    (await store.put({ text, focus: "", options: {}, project })).path ?? "";
  own = await put("own", await realpath(setUp.dir));
  foreign = await put("foreign", "/another/project");
});
afterEach(async () => {
  await setUp.remove();
  rmSync(stateDir, { recursive: true, force: true });
});

const read = (path: string) =>
  setUp.handle({ hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { file_path: path } });
const command = (text: string) =>
  setUp.handle({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: text } }, "codex-mcp-client");

it("X-61 a stored text of the session's project is allowed, one of another project is refused", async () => {
  expect(await read(own)).toEqual({ kind: "allow" });
  expect(toHookOutput(await read(own), "PreToolUse")).toEqual({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
  });
  expect(await read(foreign)).toMatchObject({ kind: "refuse" });
});

it("X-61 whatever way the path takes, the file decides", async () => {
  const around = (path: string) => path.replace("/store/", "/store/../store/./");
  expect(await read(around(own))).toEqual({ kind: "allow" });
  for (const path of [
    around(foreign),
    ` ${foreign}\n`,
    foreign.replace(/\.txt$/, ".json"),
    own.replace(/\.txt$/, ".json"),
  ])
    expect(await read(path)).toMatchObject({ kind: "refuse" });
  const missing = own.replace(/prn_.{12}/, "prn_aaaaaaaaaaaa").replace(/store\/./, "store/a");
  expect(await read(missing)).toMatchObject({ kind: "refuse" });
});

it("X-61 a link into the store is refused where it leads to another project, and never allowed by its name", async () => {
  symlinkSync(foreign, join(setUp.dir, "foreign.txt"));
  symlinkSync(own, join(setUp.dir, "own.txt"));
  symlinkSync(join(own, "..", ".."), join(setUp.dir, "store-link"));
  expect(await read(join(setUp.dir, "foreign.txt"))).toMatchObject({ kind: "refuse" });
  expect(await read("foreign.txt")).toMatchObject({ kind: "refuse" });
  expect(await read(join(setUp.dir, "own.txt"))).toBeUndefined();
  expect(await read(join(setUp.dir, "store-link", ...foreign.split("/").slice(-2)))).toMatchObject({ kind: "refuse" });
});

it("X-61 about every other path nothing is said", async () => {
  writeFileSync(join(setUp.dir, "prn_aaaaaaaaaaaa.txt"), "");
  for (const path of [
    "a.txt",
    "prn_aaaaaaaaaaaa.txt",
    "/etc/passwd",
    "~",
    "~/x",
    "",
    "\0",
    join(own, "..", "..", "..", "meter"),
  ])
    expect(await read(path)).toBeUndefined();
  expect(await setUp.handle({ hook_event_name: "PreToolUse", tool_name: "Read", tool_input: {} })).toBeUndefined();
});

it("X-61 Codex: a command that names a stored file of another project is refused, others run", async () => {
  expect(await command(`cat ${foreign}`)).toMatchObject({ kind: "refuse" });
  expect(await command(`sed -n 1,5p ${own}; head -3 '${foreign}'`)).toMatchObject({ kind: "refuse" });
  expect(await command(`cat ${own}`)).toBeUndefined();
  expect(await command("cat a.txt")).toBeUndefined();
});

it.each(["Grep", "Glob"])("X-61 %s in the store is refused; a search of a wider directory is not", async (tool) => {
  const search = (input: object) =>
    setUp.handle({ hook_event_name: "PreToolUse", tool_name: tool, tool_input: { pattern: "x", ...input } });
  const store = join(stateDir, "store");
  symlinkSync(store, join(setUp.dir, "link"));
  for (const path of [store, `${store}/`, join(foreign, ".."), foreign, join(setUp.dir, "link"), "link"])
    expect(await search({ path })).toMatchObject({ kind: "refuse" });
  for (const path of [own, stateDir, setUp.dir, "/"]) expect(await search({ path })).toBeUndefined();
  expect(await search({})).toBeUndefined();
  const byPattern = await search({ pattern: `${store}/**/*.txt` });
  if (tool === "Glob") expect(byPattern).toMatchObject({ kind: "refuse" });
  else expect(byPattern).toBeUndefined();
});

describe("X-61 Grep above the store", () => {
  /** As Claude Code calls it. */
  const ripgrep = (dir: string, glob?: string): string => {
    const words = (glob ?? "").split(/\s+/).flatMap((word) => (word.includes("{") ? [word] : word.split(",")));
    const globs = words.filter((each) => each !== "");
    const args = [
      "--hidden",
      "--glob",
      "!.git",
      "-l",
      "own|foreign|visible",
      ...globs.flatMap((each) => ["--glob", each]),
    ];
    return spawnSync(rgPath, [...args, dir], { cwd: dir, encoding: "utf8" }).stdout;
  };
  const grep = (path: string, glob?: string) =>
    setUp.handle({ hook_event_name: "PreToolUse", tool_name: "Grep", tool_input: { pattern: "x", path, glob } });

  it.each([undefined, "*.txt", "**/*.txt", "*.{txt,md}", "src/**", "*.txt !*.log", ".local"])(
    "with the glob %j is let through, and finds no stored text",
    async (glob) => {
      writeFileSync(join(stateDir, "visible.txt"), "visible");
      expect(await grep(stateDir, glob)).toBeUndefined();
      expect(ripgrep(stateDir, glob)).not.toContain("prn_");
      if (glob?.startsWith("*") !== false) expect(ripgrep(stateDir, glob)).toContain("visible.txt");
    },
  );

  it.each(["*", "**", "**/*", "store/**", "**/store/* *.txt", "*.txt,?", "{store,x}/**", "[a-z2-7] *.txt"])(
    "with the glob %j, which overrules ignore files, is refused with the way on",
    async (glob) => {
      await grep(stateDir);
      expect(ripgrep(stateDir, glob)).toContain("prn_");
      const reason = expect.stringMatching(/^This search would read .*store\. Name a narrower path/);
      expect(await grep(stateDir, glob)).toMatchObject({ kind: "refuse", reason });
      expect(await grep(setUp.dir, glob)).toBeUndefined();
    },
  );

  it("is refused where the store cannot be hidden", async () => {
    writeFileSync(join(stateDir, "store", ".rgignore"), "!*\n");
    expect(await grep(stateDir)).toMatchObject({ kind: "refuse" });
    expect(await grep(setUp.dir)).toBeUndefined();
  });
});
