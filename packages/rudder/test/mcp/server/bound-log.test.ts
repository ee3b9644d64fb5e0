// A server's log has an end: a real process whose stderr is the file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SOURCE = `
  import { boundLog } from "../../../src/mcp/server/bound-log.ts";
  boundLog(process.argv[2], { maxBytes: 1000, lookMs: 5 });
  process.stderr.write("x".repeat(2000) + "\\n", () => process.stdout.write("written"));
  process.stdin.once("data", () => { process.stderr.write("later\\n"); process.exit(0); });
`;
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "rudder-log-"));
  const outfile = join(dir, "program.mjs");
  buildSync({
    stdin: { contents: SOURCE, resolveDir: HERE, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
  });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function run(stderr: string, bounded: string, isCut: boolean): Promise<string> {
  const output = openSync(stderr, "a");
  const child = spawn(process.execPath, [join(dir, "program.mjs"), bounded], { stdio: ["pipe", "pipe", output] });
  closeSync(output);
  const end = once(child, "exit");
  if (child.stdout !== null) await once(child.stdout, "data");
  await expect.poll(() => statSync(stderr).size, { timeout: 30_000 }).toBe(isCut ? 0 : 2001);
  child.stdin?.write("go");
  await end;
  return readFileSync(stderr, "utf8");
}

it("R-36 a log that has grown past its bound starts anew, and goes on", async () => {
  const log = join(dir, "mcp.log");
  expect(await run(log, log, true)).toBe("later\n");
});

it("R-36 what is not the server's own log is never cut", async () => {
  writeFileSync(join(dir, "other.log"), "");
  expect((await run(join(dir, "somebodys.log"), join(dir, "other.log"), false)).length).toBe(2007);
});
