// What the build compiles ahead makes a start faster and is otherwise not there (scripts/bundle/entry.mjs).
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyInstallation } from "./copy-installation.ts";

const dir = mkdtempSync(join(tmpdir(), "jeeves-bytecode-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const PROGRAMS = [
  ["mcp-pruner", "index"],
  ["rudder", "rudder-server"],
  ["research", "mcp-research"],
  ["cli", "jeeves-hook-cut"],
] as const;

/** Whether V8 takes the bytecode of a chunk, in a process that has compiled nothing of it. */
const TAKES = `
const [, file] = process.argv;
const { readFileSync } = require("node:fs");
const { Script, constants } = require("node:vm");
const source = "(function(exports,require,module,__filename,__dirname,__import){" + readFileSync(file, "latin1") + "\\n})";
const cachedData = readFileSync(file + ".bytecode").subarray(0, -4);
const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
const { cachedDataRejected } = new Script(source, { filename: file, cachedData, importModuleDynamically });
process.exit(cachedDataRejected ? 1 : 0);
`;

function session(packages: string) {
  const clientInfo = { name: "test", version: "1" };
  const arguments_ = { file_path: "a.ts", context_focus_question: "Where is step 7?" };
  const messages = [
    { id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
    { id: 1, method: "tools/list", params: {} },
    { id: 2, method: "tools/call", params: { name: "read", arguments: arguments_ } },
  ];
  const { status, stdout } = spawnSync(process.execPath, [join(packages, "mcp-pruner/dist/index.js")], {
    cwd: join(dir, "project"),
    env: { PATH: process.env.PATH, HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), PRUNER_ENGINE: "embedded" },
    input: messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
    encoding: "utf8",
    timeout: 60_000,
  });
  const shown = stdout.replace(/prn_[a-z2-7]+/g, "ID").replace(/"(?:request_id|duration_ms|[a-z_]*_ms)":[^,}]+/g, "");
  return { status, answers: shown.split("\n").sort() };
}

describe("X-47 the bytecode that the build leaves beside its chunks", () => {
  it.each(PROGRAMS)("of %s is taken for all that %s needs at its start", (part, name) => {
    const dist = fileURLToPath(new URL(`../packages/${part}/dist/`, import.meta.url));
    const [, first = ""] = /load\("([^"]+)"\)/.exec(readFileSync(join(dist, `${name}.js`), "utf8")) ?? [];
    const needed = new Set([first]);
    for (const chunk of needed) {
      const text = readFileSync(join(dist, "chunks", chunk), "utf8");
      for (const [, next = ""] of text.matchAll(/=require\("\.\/([^"]+)"\)/g)) needed.add(next);
    }
    expect(needed.size).toBeGreaterThan(3);
    const refused = [...needed].filter(
      (chunk) => spawnSync(process.execPath, ["-e", TAKES, join(dist, "chunks", chunk)]).status !== 0,
    );
    expect(refused).toEqual([]);
  });

  it("X-69 lets a program load packages: research finds the ripgrep that is installed with it", () => {
    const project = join(dir, "small");
    mkdirSync(project);
    writeFileSync(join(project, "a.ts"), "export function keeper() {\n  return 7;\n}\n");
    const clientInfo = { name: "test", version: "1" };
    const messages = [
      { id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
      {
        id: 1,
        method: "tools/call",
        params: { name: "locate_in_codebase", arguments: { question: "Where is keeper?" } },
      },
    ];
    const server = fileURLToPath(new URL("../packages/research/dist/mcp-research.js", import.meta.url));
    const { stdout } = spawnSync(process.execPath, [server, "--root", project], {
      env: { PATH: join(dir, "no-programs"), HOME: dir, JEEVES_STATE_DIR: join(dir, "state") },
      input: messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stdout).toContain("a.ts:1");
  });

  describe("damaged", () => {
    let packages = "";
    let asBuilt: ReturnType<typeof session>;
    beforeAll(() => {
      mkdirSync(join(dir, "project"));
      const step = (n: number) => `export function step${n}(a: number) {\n  const b = a * ${n};\n  return b + a;\n}\n`;
      writeFileSync(join(dir, "project", "a.ts"), Array.from({ length: 200 }, (_, n) => step(n)).join("\n"));
      ({ packages } = copyInstallation(join(dir, "installation")));
      asBuilt = session(packages);
      expect(asBuilt).toMatchObject({ status: 0 });
      expect(asBuilt.answers.join("")).toContain("⟦");
    });

    it.each<[string, (bytes: Buffer) => Buffer]>([
      ["one bit in its middle", (bytes) => changed(bytes, bytes.length >> 1)],
      ["one bit at its end", (bytes) => changed(bytes, bytes.length - 1)],
      ["zeros from a crash of the machine", (bytes) => Buffer.alloc(bytes.length)],
      ["half of it", (bytes) => bytes.subarray(0, bytes.length >> 1)],
      ["nothing", () => Buffer.alloc(0)],
      ["three bytes", () => Buffer.from("abc")],
    ])("%s: the server answers the same without it", (_what, damage) => {
      const chunks = join(packages, "mcp-pruner", "dist", "chunks");
      const names = readdirSync(chunks).filter((name) => name.endsWith(".bytecode"));
      expect(names.length).toBeGreaterThan(3);
      const whole = new Map(names.map((name) => [name, readFileSync(join(chunks, name))]));
      for (const [name, bytes] of whole) writeFileSync(join(chunks, name), damage(bytes));
      expect(session(packages)).toEqual(asBuilt);
      for (const [name, bytes] of whole) writeFileSync(join(chunks, name), bytes);
    });

    it("none: the server answers the same", () => {
      const chunks = join(packages, "mcp-pruner", "dist", "chunks");
      for (const name of readdirSync(chunks)) if (name.endsWith(".bytecode")) rmSync(join(chunks, name));
      expect(session(packages)).toEqual(asBuilt);
    });
  });
});

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
