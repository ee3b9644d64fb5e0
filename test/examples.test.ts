// The programs of examples/ run as their pages describe, and give what they promise.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./source-graph.ts";

const EXAMPLES = join(root, "examples");
const QUESTION = "how is the port chosen?";
const BINS = {
  jeeves: "packages/cli/dist/jeeves.js",
  rudder: "packages/rudder/dist/rudder.js",
} as const;
let dir: string;
let env: NodeJS.ProcessEnv;
const servers: ChildProcess[] = [];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-examples-"));
  for (const folder of ["bin", "home", "tmp", "project/.git"]) mkdirSync(join(dir, folder), { recursive: true });
  for (const [name, file] of Object.entries(BINS)) symlinkSync(join(root, file), join(dir, "bin", name));
  const lines = Array.from(
    { length: 120 },
    (_, n) => `export function handle${n}(r) {\n  return { ...r, n: ${n} };\n}\n`,
  );
  lines[70] =
    "export function choosePort(env) {\n  const asked = Number(env.PORT);\n  return asked > 0 ? asked : 8006;\n}\n";
  writeFileSync(join(dir, "project", "server.js"), lines.join("\n"));
  env = {
    PATH: `${join(dir, "bin")}${delimiter}${process.env.PATH}`,
    HOME: join(dir, "home"),
    TMPDIR: join(dir, "tmp"),
    JEEVES_STATE_DIR: join(dir, "state"),
    RUDDER_HAVEN: join(dir, "haven"),
  };
});
afterAll(async () => {
  for (const server of servers) {
    const gone = once(server, "close");
    server.kill("SIGTERM");
    await gone;
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
});

function run(program: string, ...args: readonly string[]): string {
  const done = spawnSync(program, args, { cwd: join(dir, "project"), env, encoding: "utf8", timeout: 60_000 });
  expect(done.status, done.stderr).toBe(0);
  return done.stdout;
}

/** The library's examples import it by name, which a clone resolves to its sources. */
async function runBundled(name: string, ...args: readonly string[]): Promise<string> {
  const outfile = join(dir, name);
  const external = ["@vscode/tree-sitter-wasm", "web-tree-sitter"];
  const bundle = { bundle: true, format: "esm", platform: "node", target: "node20" } as const;
  await build({ ...bundle, entryPoints: [join(EXAMPLES, name)], outfile, external, logLevel: "error" });
  try {
    symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  } catch {
    // It is there from the test before.
  }
  return run(process.execPath, outfile, ...args);
}

describe("examples", () => {
  it("the page names every file, and nothing else", () => {
    const page = readFileSync(join(EXAMPLES, "README.md"), "utf8");
    const named = [...page.matchAll(/\]\(([\w.-]+)\)/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(
      readdirSync(EXAMPLES)
        .filter((name) => name !== "README.md")
        .sort(),
    );
  });

  it("the library answers a question about a file", async () => {
    const out = await runBundled("library.mjs", "server.js", QUESTION);
    expect(out).toContain("asked : 8006");
    expect(out).toMatch(/⟦… \d+ lines/);
  });

  it("a ranker of one's own decides what is kept", async () => {
    const out = await runBundled("custom-ranker.mjs", "server.js", "handle33");
    expect(out).toContain("handle33");
    expect(out).not.toContain("choosePort");
  });

  it("an MCP client in 20 lines reads a file with a question", () => {
    const path = join(EXAMPLES, "mcp-client.mjs");
    expect(readFileSync(path, "utf8").trim().split("\n").length).toBeLessThanOrEqual(20);
    const out = run(process.execPath, path, "server.js", QUESTION);
    expect(out).toContain("asked : 8006");
    expect(out).toMatch(/⟦… \d+ lines/);
  });

  it("curl cuts a text on /rpc and gets lines of it back", async () => {
    const server = spawn("jeeves", ["serve", "--port", "0"], { cwd: join(dir, "project"), env });
    servers.push(server);
    let said = "";
    const url = await new Promise<string>((resolve, reject) => {
      const listen = (text: string) => {
        said += text;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      };
      for (const stream of [server.stdout, server.stderr]) stream.setEncoding("utf8").on("data", listen);
      server.once("close", () => reject(new Error(`jeeves serve ended: ${said}`)));
    });
    const out = run("sh", join(EXAMPLES, "rpc.sh"), url, "server.js", QUESTION);
    const [cut, back] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(JSON.stringify(cut.result)).toContain("asked : 8006");
    expect(JSON.stringify(back.result)).toContain("function handle0(r)");
  });

  it("the adapter of a made-up client has a failing test run cut (client-adapter.test.ts runs the client, too)", () => {
    const log = ["> vitest run", ...Array.from({ length: 4_000 }, (_, n) => ` ✓ case ${n}`)];
    log.splice(2_000, 0, " FAIL  test/login.test.ts > sets the session cookie");
    const question = {
      ...{ n: 1, after: "run", input: { line: "npm test" }, gave: { text: log.join("\n"), status: 1 } },
      ...{ session: "s1", dir: join(dir, "project"), forbid: [], prompt: "why does it fail?", used: 20_000 },
    };
    const asked = { cwd: join(dir, "project"), env, encoding: "utf8", input: `${JSON.stringify(question)}\n` } as const;
    const done = spawnSync(process.execPath, [join(EXAMPLES, "client-adapter", "adapter.mjs")], asked);
    const { n, show } = JSON.parse(done.stdout);
    expect(n).toBe(1);
    expect(show).toContain(" FAIL  test/login.test.ts > sets the session cookie");
    expect(show).toMatch(/⟦… \d+ lines/);
    expect(show.length).toBeLessThan(2_000);
  });

  it("two agents share a task list: one task each, and what one learned the other reads", () => {
    const out = run("sh", join(EXAMPLES, "two-agents.sh"));
    expect(out).toContain("Dates are in UTC");
    expect(out).toMatch(/T002/);
  });
});
