// What the tests of jeeves init are given: a home and a project of their own, and the built command in them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach } from "vitest";

const JEEVES = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-init-"));
  mkdirSync(join(dir, "home"));
  mkdirSync(join(dir, "project"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

export function jeeves(...args: readonly string[]) {
  // The fallback directory too is the test's own: what other runs left in /tmp has no part in this.
  const own = { HOME: join(dir, "home"), JEEVES_STATE_DIR: join(dir, "state"), TMPDIR: join(dir, "tmp") };
  const { JEEVES_TEST_HIDE: hidden } = process.env;
  const env = { PATH: process.env.PATH ?? "", ...own, ...(hidden === undefined ? {} : { JEEVES_TEST_HIDE: hidden }) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [JEEVES, ...args], {
    cwd: join(dir, "project"),
    env,
    encoding: "utf8",
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}
export const at = (path: string) => join(dir, path);
export function put<T extends string | Buffer>(path: string, content: T): T {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
  return content;
}
export const json = (path: string) => JSON.parse(readFileSync(at(path), "utf8"));
