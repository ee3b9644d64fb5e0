// The README is a promise: its commands are run, its words for commands and options exist, its links lead somewhere.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
/** Its figures are in a page of their own. */
const evidence = readFileSync(join(root, "docs/evidence.md"), "utf8");
const manifest: { version: string; scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

const BINS = { jeeves: "packages/cli/dist/jeeves.js", rudder: "packages/rudder/dist/rudder.js" } as const;
/**
 * The clients are not ours to run here (test/clients does, with the very lines of the README), nor what is made of the
 * package (test/package.test.ts), nor the two commands that run this very test.
 */
const RUN_ELSEWHERE =
  /^(?:npm (?:start|test|run (?:test:(?:clients|browser)|bench|package))\b|npm install \S*\s*\.\/out\/|npx |claude |codex |gemini |opencode |copilot |jeeves up\b)/;

const commands = [...readme.matchAll(/^```sh\n(.*?)^```/gms)]
  .flatMap(([, block = ""]) => block.split("\n"))
  .map((line) => line.replace(/\s+#\s.*$/, "").trim())
  .filter((line) => line !== "");
const spans = [...readme.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text.replaceAll("\\|", "|"));
/** What is said of our commands anywhere, without a leading `npm start -- `. */
const said = [...commands, ...spans]
  .map((text) => text.replace(/^.*\|\s*(?=jeeves )/, "").replace(/^npm (?:--prefix \S+ )?start -- /, "jeeves "))
  .filter((text) => /^(?:jeeves|rudder) /.test(text));

let dir: string;
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-readme-"));
  mkdirSync(join(dir, "bin"));
  for (const [name, file] of Object.entries(BINS)) symlinkSync(join(root, file), join(dir, "bin", name));
  // A client, as far as `jeeves setup` can tell.
  writeFileSync(join(dir, "bin", "opencode"), "#!/bin/sh\necho 1.18.0\n", { mode: 0o755 });
  const project = join(dir, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  const handlers = Array.from(
    { length: 150 },
    (_, n) => `export function handle${n}(r) {\n  return { ...r, n: ${n} };\n}\n`,
  );
  handlers[70] =
    "export function choosePort(env) {\n  const asked = Number(env.PORT);\n  return asked > 0 ? asked : 8006;\n}\n";
  writeFileSync(join(project, "src", "server.js"), handlers.join("\n"));
  const test =
    "node -e \"for (let i = 0; i < 400; i++) console.log('ok ' + i); console.log('FAIL login: expected 200, got 401'); process.exit(1)\"";
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "shop", version: "1.0.0", scripts: { test } }));
  env = {
    PATH: `${join(dir, "bin")}${delimiter}${process.env.PATH}`,
    HOME: dir,
    JEEVES_STATE_DIR: join(dir, "state"),
    RUDDER_HAVEN: join(dir, "haven"),
    npm_config_prefix: join(dir, "global"),
    npm_config_loglevel: "error",
  };
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function sh(line: string) {
  // The clone is wherever the reader stands; there is no terminal to be asked on.
  const here = line.replace("--global .", `--global '${root}'`).replace(/^jeeves setup\b/, "$& --yes");
  const done = spawnSync("bash", ["-o", "pipefail", "-c", here], {
    cwd: join(dir, "project"),
    env,
    encoding: "utf8",
    timeout: 120_000,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

const helps = new Map<string, string>();
function helpOf(words: readonly string[]): string {
  const key = words.join(" ");
  const help = helps.get(key) ?? sh(`${key} --help`).out;
  helps.set(key, help);
  return help;
}

describe("README", () => {
  it("has commands to run", () => {
    expect(commands.length).toBeGreaterThan(8);
    expect(said.length).toBeGreaterThan(10);
  });

  it("every command that stands alone runs", () => {
    const failed: unknown[] = [];
    for (const line of commands.filter((each) => !RUN_ELSEWHERE.test(each) || each.includes("| jeeves"))) {
      // A failing test run is what one of them is about.
      const { code, out, err } = sh(line.replace(/^npm test 2>&1 \|/, "(npm test 2>&1; true) |"));
      if (code !== 0) failed.push({ line, code, out, err });
    }
    expect(failed).toEqual([]);
  });

  it("what its cuts promise is what they give", () => {
    const cut = sh('jeeves prune src/server.js --focus "how is the port chosen?"');
    expect(cut.out).toContain("choosePort");
    expect(cut.out).toMatch(/⟦… \d+ lines/);
    const log = sh('(npm test 2>&1; true) | jeeves prune - --type logs --focus "why does the login test fail?"');
    expect(log.out).toContain("FAIL login: expected 200, got 401");
    expect(log.out.length).toBeLessThan(2_000);
  });

  it("every npm script that it names exists, and so does every benchmark", () => {
    const named = [
      ...readme.matchAll(/npm (?:run )?(start|test(?::clients|:browser)?|bench|conformance|build)\b/g),
    ].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
    const list = spawnSync(process.execPath, [join(root, "scripts", "bench.mjs"), "--help"], {
      encoding: "utf8",
    }).stdout;
    const benches = [...evidence.matchAll(/npm run bench -- ([a-z][a-z-]*)/g)].map(([, name = ""]) => name);
    expect(benches.length).toBeGreaterThan(10);
    expect(benches.filter((name) => !new RegExp(`^  ${name} `, "m").test(list))).toEqual([]);
  });

  it("every command and every option that it names is in that command's own help", () => {
    const wrong: string[] = [];
    for (const text of said) {
      const [program = "", first = "", second = ""] = text.split(" ");
      const names = first.split("|");
      for (const name of names) {
        const top = helpOf([program]);
        if (/^[a-z]/.test(name) && !new RegExp(`^  ${name}\\b`, "m").test(top)) wrong.push(`${text}: no ${name}`);
        const below = /^[a-z][a-z-]*$/.test(second) && new RegExp(`^  ${second}\\b`, "m").test(helpOf([program, name]));
        const help = /^[a-z]/.test(name) ? helpOf([program, name, ...(below ? [second] : [])]) : top;
        for (const [option] of text.matchAll(/(?<=[\s[|])--[a-z][a-z-]+/g)) {
          if (!help.includes(option)) wrong.push(`${text}: no ${option}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("has at most five lines for each client, and names the version that is made", () => {
    const [, connect = ""] = /^## Connect your client\n(.*?)^## /ms.exec(readme) ?? [];
    const sections = connect.split(/^### /m).slice(1);
    expect(sections.length).toBeGreaterThan(4);
    const lines = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("```"));
    // The last one is followed by what holds for all.
    const own = sections.map((text) => lines(text.split(/^Then work as before/m)[0] ?? "").slice(1));
    expect(own.filter((each) => each.length > 5 || each.length === 0)).toEqual([]);
    const docs = readFileSync(join(root, "docs/clients.md"), "utf8");
    const named = [...`${readme}${docs}`.matchAll(/out\/jeeves-(?:prune-)?(\d[\w.-]*?)\.(?:tgz|mcpb)/g)];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(([, version]) => version !== manifest.version)).toEqual([]);
  });

  it("the snippets of docs/clients.md are JSON, and start a program that the package has", () => {
    const docs = readFileSync(join(root, "docs/clients.md"), "utf8");
    const all = [...docs.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = ""]) => JSON.parse(text));
    const snippets = all.filter(({ plugin }) => plugin === undefined);
    expect(snippets.length).toBeGreaterThan(3);
    const { bin } = JSON.parse(readFileSync(join(root, "packages/mcp-pruner/package.json"), "utf8"));
    for (const { mcpServers, servers } of snippets) expect(bin).toHaveProperty((mcpServers ?? servers).jeeves.command);
  });

  it("every link and every picture leads somewhere", () => {
    for (const page of ["README.md", "docs/evidence.md", "docs/views.md"]) {
      const text = readFileSync(join(root, page), "utf8");
      const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);
      const missing = targets.filter((to) => !/^https?:/.test(to) && !existsSync(join(root, dirname(page), to)));
      expect(missing).toEqual([]);
    }
  });
});
