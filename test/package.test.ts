// The npm packages as strangers get them: the tarballs of `npm run package`, installed by the real npm without install
// scripts into a directory with nothing but Node.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensurePackaged } from "../scripts/package/ensure-packaged.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const MAX_INSTALLED_BYTES = 70_000_000;
/** Without indentation: only a grammar finds its functions. */
const FLAT = Array.from(
  { length: 150 },
  (_, n) => `export function handle${n}(r: Request): Reply {\nconst n = ${n};\nreturn reply(r, n);\n}`,
);
FLAT[70] =
  "export function choosePort(env: Env): number {\nconst asked = Number(env.PORT);\nreturn asked > 0 ? asked : 8006;\n}";

let out: string;
let dir: string;
let env: Record<string, string>;
const at = (...parts: readonly string[]) => join(dir, ...parts);
const installed = (...parts: readonly string[]) => at("prefix/lib/node_modules/jeeves", ...parts);

beforeAll(async () => {
  out = await ensurePackaged();
  dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-package-")));
  for (const name of ["home", "project"]) mkdirSync(at(name));
  writeFileSync(at("project/server.ts"), `${FLAT.join("\n")}\n`);
  env = {
    PATH: [at("prefix/bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    HOME: at("home"),
    JEEVES_STATE_DIR: at("state"),
  };
  installGlobally();
}, 180_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** npm's own settings and cache: the registry's address is there. */
function npm(args: readonly string[], cwd = at("project")) {
  const done = spawnSync("npm", [...args, "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, npm_config_update_notifier: "false" },
  });
  expect({ args, status: done.status, stderr: done.status === 0 ? "" : done.stderr }).toMatchObject({ status: 0 });
  return done;
}

function installGlobally() {
  npm(["install", "--global", "--prefix", at("prefix"), join(out, `jeeves-${version}.tgz`)]);
}

function run(program: string, args: readonly string[], input = "") {
  const done = spawnSync(program, args, { cwd: at("project"), env, input, encoding: "utf8", timeout: 50_000 });
  return { code: done.status ?? done.error, out: done.stdout, err: done.stderr };
}

function bytesIn(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe("jeeves", () => {
  it("X-62 installs without scripts, needs ripgrep alone, and every program starts", () => {
    const manifest = JSON.parse(readFileSync(installed("package.json"), "utf8"));
    expect(Object.keys(manifest.dependencies)).toEqual(["@vscode/ripgrep"]);
    expect(manifest).not.toHaveProperty("scripts");
    expect(manifest.version).toBe(version);
    expect(bytesIn(at("prefix/lib/node_modules"))).toBeLessThan(MAX_INSTALLED_BYTES);
    for (const file of ["LICENSE", "README.md", "docs/clients.md", "THIRD-PARTY-LICENSES.txt"])
      expect(existsSync(installed(file))).toBe(true);
    expect(readdirSync(at("prefix/bin")).sort()).toEqual(Object.keys(manifest.bin).sort());
    const shells = ["jeeves-exec", "jeeves-exec-cut", "jeeves-hook", "jeeves-hook-cut"];
    for (const name of Object.keys(manifest.bin).filter((each) => !shells.includes(each)))
      expect(run(name, ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect(run("jeeves-exec", ["echo small; exit 3"])).toEqual({ code: 3, out: "small\n", err: "" });
    for (const name of ["mcp-pruner", "mcp-research"]) expect(run(name, []).code).toBe(0);
    const list = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`;
    expect(run("jeeves", ["mcp"], list)).toMatchObject({ code: 0, out: expect.stringContaining('"recover_text"') });
    for (const name of ["jeeves-mcp-pruner", "jeeves-pruner"]) expect(run(name, ["--port=none"]).err).toContain("none");
  });

  it("doctor finds nothing broken, demo works, and npx runs the tarball", () => {
    const doctor = JSON.parse(run("jeeves", ["doctor", "--json"]).out);
    const stateOf = (name: string) => doctor.checks.find((check: { name: string }) => check.name === name)?.state;
    expect({ ok: doctor.ok, ripgrep: stateOf("ripgrep"), grammars: stateOf("grammars") }).toEqual({
      ok: true,
      ripgrep: "good",
      grammars: "good",
    });
    expect(run("jeeves", ["demo"])).toMatchObject({ code: 0, out: expect.stringContaining("byte for byte") });
    const npx = npm(["exec", "--yes", "--package", join(out, `jeeves-${version}.tgz`), "--", "jeeves", "--version"]);
    expect(npx.stdout).toBe(`${version}\n`);
  });

  it("mcp-pruner lists its tools and cuts TypeScript by its grammar; without grammars by indentation, with a warning", async () => {
    const question = { file_path: "server.ts", context_focus_question: "how is the port chosen?" };
    const ask = async () => {
      const transport = new StdioClientTransport({
        command: at("prefix/bin/mcp-pruner"),
        cwd: at("project"),
        env,
        stderr: "pipe",
      });
      let events = "";
      transport.stderr?.on("data", (part) => {
        events += part;
      });
      const client = new Client({ name: "stranger", version: "1" });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(["bash", "grep", "read", "recover_text"]);
      const { content } = await client.callTool({ name: "read", arguments: question });
      await client.close();
      return { text: JSON.stringify(content), events };
    };
    const cut = await ask();
    // The whole function, and not the ones beside it: its lines alone say nothing of where it ends.
    expect(cut.text).toContain(JSON.stringify(FLAT[70]).slice(1, -1));
    expect(cut.text).toMatch(/⟦… \d+ lines/);
    expect(cut.events).not.toContain("grammar");

    renameSync(installed("packages/prune/grammars"), at("grammars"));
    try {
      const degraded = await ask();
      expect(degraded.text).toContain("env.PORT");
      expect(degraded.text).toMatch(/⟦… \d+ lines/);
      expect(degraded.events).toMatch(/"level":"warn".*the grammar of typescript cannot be loaded; scopes come from/);
      const { checks } = JSON.parse(run("jeeves", ["doctor", "--json"]).out);
      expect(checks).toContainEqual(expect.objectContaining({ name: "grammars", state: "note" }));
      expect(run("jeeves", ["prune", "server.ts", "--focus", "how is the port chosen?"])).toMatchObject({
        code: 0,
        err: expect.stringContaining("the grammar of typescript cannot be loaded"),
      });
    } finally {
      renameSync(at("grammars"), installed("packages/prune/grammars"));
    }
  });

  it("C-01 every snippet starts a server by its name, which lists the tools that it names", async () => {
    const snippets = readdirSync(join(out, "snippets")).sort();
    expect(snippets).toEqual(["copilot-cli.json", "cursor.json", "lm-studio.json", "vs-code.json"]);
    for (const file of snippets) {
      const { mcpServers, servers } = JSON.parse(readFileSync(join(out, "snippets", file), "utf8"));
      const { command, args, env: own } = (mcpServers ?? servers).jeeves;
      const given = { ...own, ...(own.MCP_PRUNER_CWD && { MCP_PRUNER_CWD: at("project") }) };
      const transport = new StdioClientTransport({
        command,
        args,
        cwd: dir,
        env: { ...env, ...given },
        stderr: "ignore",
      });
      const client = new Client({ name: "stranger", version: "1" });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect([file, tools.map(({ name }) => name)]).toEqual([file, own.MCP_PRUNER_TOOLS.split(",")]);
      await client.close();
    }
  });

  it("up serves the page", async () => {
    const child = spawn("jeeves", ["up", "--port", "0", "--page-port", "0"], { cwd: at("project"), env });
    try {
      let said = "";
      const url = await new Promise<string>((found, fail) => {
        child.stdout.setEncoding("utf8").on("data", (part: string) => {
          said += part;
          const [, page] = /(http:\/\/\S+)\/#token=/.exec(said) ?? [];
          if (page !== undefined) found(page);
        });
        child.once("exit", () => fail(new Error(`up ended: ${said}`)));
      });
      const page = await (await fetch(url)).text();
      const [, script = ""] = /<script [^>]*src="([^"]+)"/.exec(page) ?? [];
      expect((await fetch(new URL(script, `${url}/`))).status).toBe(200);
    } finally {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  });

  it("X-62 a client that was set up goes on after an upgrade, without the link, and after a removal", () => {
    expect(run("jeeves", ["init", "claude-code"])).toMatchObject({ code: 0, err: "" });
    const launcher = at("home/.local/share/jeeves");
    const long =
      "for i in $(seq 3000); do echo \" ✓ test $i passes\"; done; echo 'AssertionError: expected 200 to be 401'; exit 1";
    const exec = () => run(join(launcher, "bin/jeeves-exec"), ["--client=claude-code", long]);
    const server = () => run(join(launcher, "bin/mcp-pruner"), []).code;
    const expectCut = () => {
      const { code, out: shown } = exec();
      expect({ code, isCut: shown.length < 5_000, hasReason: shown.includes("expected 200 to be 401") }).toEqual({
        code: 1,
        isCut: true,
        hasReason: true,
      });
      expect(server()).toBe(0);
    };
    expectCut();
    const before = statSync(installed("package.json")).ino;
    installGlobally();
    expect(statSync(installed("package.json")).ino).not.toBe(before);
    expectCut();
    rmSync(join(launcher, "installation"));
    symlinkSync("/nowhere/packages", join(launcher, "installation"));
    expectCut();
    npm(["uninstall", "--global", "--prefix", at("prefix"), "jeeves"]);
    const bare = run("bash", ["-c", long]);
    expect(exec()).toEqual(bare);
    expect(server()).toBe(1);
    expect(run(join(launcher, "bin/jeeves-uninstall"), ["--yes"]).code).toBe(0);
  });
});

describe("@jeeves/prune", () => {
  it("compiles with strict types and runs the example of its README", () => {
    const home = at("library");
    mkdirSync(join(home, "src"), { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ name: "stranger", version: "1.0.0", type: "module" }));
    npm(["install", join(out, `jeeves-prune-${version}.tgz`)], home);
    expect(readdirSync(join(home, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@jeeves"]);
    const [, example = ""] =
      /```ts\n(.*?)```/s.exec(readFileSync(join(home, "node_modules/@jeeves/prune/README.md"), "utf8")) ?? [];
    writeFileSync(join(home, "example.ts"), example);
    const client = FLAT.map((text) =>
      text.replaceAll("choosePort", "retryDelay").replace("env.PORT", "env.RETRY_DELAY"),
    );
    writeFileSync(join(home, "src", "client.ts"), client.join("\n"));
    // Types of Node are the stranger's own; ours need none.
    cpSync(join(root, "node_modules/@types/node"), join(home, "node_modules/@types/node"), { recursive: true });
    cpSync(join(root, "node_modules/undici-types"), join(home, "node_modules/undici-types"), { recursive: true });
    const strict = [
      "--strict",
      "--skipLibCheck",
      "false",
      "--exactOptionalPropertyTypes",
      "--noUncheckedIndexedAccess",
    ];
    const tsc = [
      join(root, "node_modules/typescript/bin/tsc"),
      ...strict,
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--types",
      "node",
    ];
    const compiled = spawnSync(process.execPath, [...tsc, "example.ts"], { cwd: home, encoding: "utf8" });
    expect({ status: compiled.status, out: compiled.stdout }).toEqual({ status: 0, out: "" });
    const ran = spawnSync(process.execPath, ["example.js"], { cwd: home, encoding: "utf8" });
    expect({ status: ran.status, err: ran.stderr }).toEqual({ status: 0, err: "" });
    expect(ran.stdout).toContain("const asked = Number(env.RETRY_DELAY);");
    expect(ran.stdout).toMatch(/^⟦… \d+ lines/m);
    expect(ran.stdout).toMatch(/^282 const asked = Number\(env\.RETRY_DELAY\);$/m);
  });

  it("npm publish --dry-run has nothing to warn of in either package", () => {
    for (const name of ["jeeves", "prune"]) {
      const { stderr } = npm(["publish", "--dry-run"], join(out, name));
      const warnings = stderr.split("\n").filter((line) => /^npm (?:warn|error)/i.test(line));
      // About the person and their settings, not about the package.
      expect(warnings.filter((line) => !/be logged in|Unknown (?:user|env) config/.test(line))).toEqual([]);
    }
  });
});
