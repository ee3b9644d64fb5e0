// The user's token: one for everyone who asks, and never one that another user could know.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureUserToken, findUserToken } from "../src/index.ts";
import { buildProgram } from "./child-program.ts";
import { scratchDir } from "./scratch.ts";

const GOOD = "A".repeat(43);
const isRoot = process.getuid?.() === 0;

function given(): { readonly env: NodeJS.ProcessEnv; readonly file: string; readonly dir: string } {
  const dir = join(scratchDir(), "state");
  return { env: { JEEVES_STATE_DIR: dir }, file: join(dir, "token"), dir };
}

describe("X-55 the user's token", () => {
  it("X-55 is 32 random bytes in a file of 0600, made once, with its directory", async () => {
    const { env, file } = given();
    expect(await findUserToken(env)).toBeUndefined();
    const token = await ensureUserToken(env);
    expect(Buffer.from(token, "base64url").length).toBe(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await ensureUserToken(env)).toBe(token);
    expect(await findUserToken(env)).toBe(token);
    expect(await ensureUserToken(given().env)).not.toBe(token);
  });

  it("X-55 JEEVES_TOKEN is the token where it is set, and nothing is written", async () => {
    const { env, dir } = given();
    expect(await ensureUserToken({ ...env, JEEVES_TOKEN: "mine" })).toBe("mine");
    expect(await findUserToken({ ...env, JEEVES_TOKEN: "mine" })).toBe("mine");
    expect(statSync(dir, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("X-55 processes that start at the same moment have the same one", async () => {
    const { env, file } = given();
    const start = buildProgram(`
      import { ensureUserToken } from "@jeeves/state";
      process.stdin.once("data", async () => {
        console.log(await ensureUserToken({ JEEVES_STATE_DIR: process.argv[2] }));
        process.exit();
      });
      console.log("ready");
    `);
    const children = Array.from({ length: 6 }, () => start(env.JEEVES_STATE_DIR ?? ""));
    for (const child of children) await child.nextLine();
    for (const child of children) child.process.stdin?.write("go\n");
    const tokens = await Promise.all(children.map((child) => child.nextLine()));
    expect(new Set(tokens)).toEqual(new Set([readFileSync(file, "utf8").trim()]));
  });

  it.each([
    ["half-written", "abc", 0o600],
    ["empty", "", 0o600],
    ["too long", `${GOOD}x`, 0o600],
    ["two lines", `${GOOD}\n${GOOD}\n`, 0o600],
    ["readable by its group", GOOD, 0o640],
    ["readable by everyone", GOOD, 0o644],
    ["writable by others", GOOD, 0o602],
  ])("X-55 one that is %s is replaced by a fresh one", async (_, text, mode) => {
    const { env, file, dir } = given();
    mkdirSync(dir);
    writeFileSync(file, text);
    chmodSync(file, mode);
    expect(await findUserToken(env)).toBeUndefined();
    const token = await ensureUserToken(env);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(token).not.toBe(GOOD);
    expect(readFileSync(file, "utf8")).toBe(`${token}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("X-55 a link, a pipe or a directory in its place is an error that says what to do, and is left alone", async () => {
    const make: Readonly<Record<string, (file: string, dir: string) => void>> = {
      "is a symbolic link": (file, dir) => {
        writeFileSync(join(dir, "elsewhere"), GOOD, { mode: 0o600 });
        symlinkSync(join(dir, "elsewhere"), file);
      },
      "is not a regular file": (file) => void execFileSync("mkfifo", [file]),
      "is not a regular file ": (file) => mkdirSync(file),
    };
    for (const [why, put] of Object.entries(make)) {
      const { env, file, dir } = given();
      mkdirSync(dir);
      put(file, dir);
      const { ino } = statSync(file);
      const refusal = await ensureUserToken(env).catch((error) => error);
      expect(refusal).toMatchObject({ code: "token_unavailable", message: `${file} ${why.trim()}` });
      expect(refusal.hint).toContain("JEEVES_TOKEN");
      expect(await findUserToken(env)).toBeUndefined();
      expect(statSync(file).ino).toBe(ino);
    }
  });

  it.runIf(isRoot)("X-55 a file of another user is an error", async () => {
    const { env, file, dir } = given();
    mkdirSync(dir);
    writeFileSync(file, GOOD, { mode: 0o600 });
    chownSync(file, 65_533, 65_533);
    await expect(ensureUserToken(env)).rejects.toThrow("belongs to user 65533, not to 0");
    expect(await findUserToken(env)).toBeUndefined();
  });

  it("X-55 a state directory that cannot be written is an error that names it", async () => {
    const parent = scratchDir();
    writeFileSync(join(parent, "file"), "");
    const env = { JEEVES_STATE_DIR: join(parent, "file", "state") };
    await expect(ensureUserToken(env)).rejects.toMatchObject({ code: "token_unavailable" });
    expect(await findUserToken(env)).toBeUndefined();
  });
});
