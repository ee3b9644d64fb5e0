// `npm run dev` in a project of two files: the real watcher, type checker and vitest; the build is a line of its own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "./source-graph.ts";

const SLOW = { timeout: 300_000 };
let dir: string;
let dev: ChildProcess | undefined;
let output = "";

/** Writes a file as most editors do: another one, renamed over it. No half of it is ever there. */
function write(file: string, text: string): void {
  const path = join(dir, file);
  const swap = join(dirname(path), ".swap");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(swap, text);
  renameSync(swap, path);
}

/** Waits until the output has `words` behind what was already waited for, and takes it away. */
function printed(words: string): Promise<string> {
  return new Promise((done, fail) => {
    const look = () => {
      const at = output.indexOf(words);
      if (at < 0) return;
      const text = output.slice(0, at + words.length);
      output = output.slice(at + words.length);
      dev?.stdout?.off("data", look);
      dev?.off("close", onEnd);
      done(text);
    };
    const onEnd = () => fail(new Error(`dev ended before it printed "${words}":\n${output}`));
    dev?.stdout?.on("data", look);
    dev?.once("close", onEnd);
    look();
  });
}

const ended = (child: ChildProcess) => new Promise<number | null>((done) => child.once("close", (code) => done(code)));

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-dev-")));
  for (const name of ["scripts", "test"]) mkdirSync(join(dir, name));
  for (const script of ["dev.mjs", "watch-tree.mjs", "tool.mjs"])
    copyFileSync(join(root, "scripts", script), join(dir, "scripts", script));
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  // Nothing is installed here, and the bins are one line.
  write("scripts/setup.mjs", `export const root = ${JSON.stringify(dir)};\nexport function ensureInstalled() {}\n`);
  write("scripts/build.mjs", `console.log("built");\n`);
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], module: "nodenext" };
  write("package.json", `{ "type": "module" }\n`);
  write("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["packages/*/src"] }));
  write("packages/a/src/port.ts", "export const port: number = 8006;\n");
  const test = `import { expect, it } from "vitest";\nimport { port } from "../src/port.js";\n`;
  write("packages/a/test/port.test.ts", `${test}it("listens on 8006", () => expect(port).toBe(8006));\n`);
  write("packages/a/test/other.test.ts", `import { it } from "vitest";\nit("is not about the port", () => {});\n`);
});

afterEach(() => {
  if (dev?.exitCode === null) dev.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

function start(...options: string[]): ChildProcess {
  output = "";
  const child = spawn(process.execPath, ["scripts/dev.mjs", ...options], {
    cwd: dir,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, VITEST: undefined },
    stdio: ["ignore", "pipe", "ignore"],
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  dev = child;
  return child;
}

it("after a change `npm run dev` builds, checks the types and runs the tests of what changed", SLOW, async () => {
  const child = start();
  await printed("dev: watching packages and test");

  write("packages/a/src/port.ts", "export const port: number = 8007;\n");
  const red = await printed("dev: watching\n");
  expect(red).toContain("dev: changed: packages/a/src/port.ts\ndev: build\nbuilt\ndev: typecheck\ndev: tests\n");
  expect(red).toContain("listens on 8006");
  expect(red).toContain("dev: tests failed (exit code 1)");
  expect(red).not.toContain("other.test.ts");

  write("packages/a/src/port.ts", `export const port: number = "8006";\n`);
  const wrong = await printed("dev: watching\n");
  expect(wrong).toContain("error TS2322");
  expect(wrong).not.toContain("dev: tests");

  write("packages/a/src/port.ts", "export const port: number = 8006;\n");
  expect(await printed("dev: all green; watching\n")).toContain("1 passed");

  // Files that did not get as far as their tests are tested in the next round.
  write("packages/a/src/host.ts", `export const host: number = "::1";\n`);
  write("packages/a/test/host.test.ts", `import { it } from "vitest";\nit("has a host", () => {});\n`);
  expect(await printed("dev: watching\n")).not.toContain("dev: tests");
  write("packages/a/src/host.ts", `export const host = "::1";\n`);
  expect(await printed("dev: all green; watching\n")).toContain("host.test.ts");

  const end = ended(child);
  child.kill("SIGINT");
  expect(await end).toBe(0);
});

it("`npm run dev` sees every save: renamed over the file, in place, in a new folder, removed", SLOW, async () => {
  const child = start("--no-build", "--no-types", "--no-tests");
  await printed("dev: watching packages and test");
  const changed = async (file: string, change: () => void) => {
    change();
    await printed(`dev: changed: ${file}\ndev: all green; watching\n`);
  };
  const [port, made] = ["packages/a/src/port.ts", "packages/b/src/made.ts"];
  for (const n of [1, 2, 3]) await changed(port, () => write(port, `export const port = ${n};\n`));
  for (const round of [1, 2]) {
    await changed(made, () => write(made, `export const a = ${round};\n`));
    await changed(made, () => write(made, `export const b = ${round};\n`));
    await changed(made, () => rmSync(join(dir, "packages/b"), { recursive: true }));
  }
  await changed(port, () => appendFileSync(join(dir, port), "// in place\n"));
  const end = ended(child);
  child.kill("SIGTERM");
  expect(await end).toBe(0);
});

it("Ctrl-C ends `npm run dev` and the step that it runs", SLOW, async () => {
  write("scripts/build.mjs", `console.log("step", process.pid);\nsetInterval(() => {}, 1000);\n`);
  const child = start();
  await printed("dev: watching packages and test");
  write("packages/a/src/port.ts", "export const port = 8008;\n");
  await printed("step ");
  const pid = Number((await printed("\n")).trim());
  expect(process.kill(pid, 0)).toBe(true);
  const end = ended(child);
  child.kill("SIGINT");
  expect(await end).toBe(0);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

it("`npm run dev` explains its options, and refuses others by name", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, "scripts", "dev.mjs"), ...args], { encoding: "utf8" });
  expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("--no-tests"), stderr: "" });
  expect(run("--no-test")).toMatchObject({ status: 2, stderr: expect.stringContaining("'--no-test'") });
});
