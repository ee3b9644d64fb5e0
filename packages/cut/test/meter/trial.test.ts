// A trial decides between on and shadow, session by session; the environment and `off` still win.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { armOf, readMode, readTrial, writeMode, writeTrial } from "../../src/index.ts";
import { given, request, SOURCE } from "../given.ts";

const PROJECT = "/project";
const STARTED = "2026-11-15T10:00:00.000Z";
const ids = Array.from({ length: 40 }, (_, n) => `session-${n}`);
const onId = ids.find((id) => armOf(id) === "on") ?? "";
const shadowId = ids.find((id) => armOf(id) === "shadow") ?? "";

describe("a trial", () => {
  it("X-52 puts each session of its project on or in shadow, always the same, and no other session", async () => {
    const { env } = await given();
    await writeTrial(env, { project: PROJECT, started: STARTED, before: ["session-under-way"] });
    await writeMode(env, "shadow");
    for (const session of ids) expect(await readMode(env, { session, project: PROJECT })).toBe(armOf(session));
    for (const of of [
      { session: onId, project: "/other" },
      { session: "session-under-way", project: PROJECT },
      { session: "", project: PROJECT },
      undefined,
    ])
      expect(await readMode(env, of)).toBe("shadow");
  });

  it("X-52 halves: about as many sessions on as in shadow", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 400, maxLength: 400 }), (all) => {
        const on = all.filter((id) => armOf(id) === "on").length;
        expect(on).toBeGreaterThan(130);
        expect(on).toBeLessThan(270);
      }),
      { numRuns: 20 },
    );
  });

  it("X-52 JEEVES_MODE and off win over it, and it ends when it is stopped", async () => {
    const { env } = await given();
    const trial = { project: PROJECT, started: STARTED, before: [] };
    await writeTrial(env, trial);
    const of = { session: shadowId, project: PROJECT };
    expect(await readMode({ ...env, JEEVES_MODE: "on" }, of)).toBe("on");
    await writeMode(env, "off");
    expect(await readMode(env, of)).toBe("off");
    await writeMode(env, "on");
    expect(await readMode(env, of)).toBe("shadow");
    await writeTrial(env, { ...trial, stopped: "2026-11-16T10:00:00.000Z" });
    expect(await readMode(env, of)).toBe("on");
  });

  it("X-52 the pipeline follows it: the same text is cut in one session and whole in another, counted in both", async () => {
    const { env, cutter, meterEntries } = await given();
    await writeTrial(env, { project: PROJECT, started: STARTED, before: [] });
    const shown = async (session: string) =>
      cutter.cut({ ...request(), caller: { ...request().caller, session }, project: PROJECT });
    expect(await shown(onId)).toMatchObject({ kind: "cut" });
    expect(await shown(shadowId)).toMatchObject({ kind: "whole" });
    const entries = await meterEntries();
    expect(entries.map(({ session, kind }) => [session, kind])).toEqual([
      [onId, "cut"],
      [shadowId, "shadow"],
    ]);
    expect(entries[1]?.raw_tokens).toBeGreaterThan(SOURCE.length / 10);
  });

  it("X-60 its file is for its user alone, and one that cannot be read or is none costs nothing", async () => {
    const { env } = await given();
    await writeTrial(env, { project: PROJECT, started: STARTED, before: [] });
    const dir = join(env.JEEVES_STATE_DIR, "trials");
    const [name = ""] = readdirSync(dir);
    const file = join(dir, name);
    expect([statSync(file).mode & 0o777, statSync(dir).mode & 0o777]).toEqual([0o600, 0o700]);
    const of = { session: shadowId, project: PROJECT };
    for (const text of ["", "{", "[]", '{"project":"/other","started":"x","before":[]}', "x".repeat(300_000)]) {
      writeFileSync(file, text);
      expect(await readTrial(env, PROJECT)).toBeUndefined();
      expect(await readMode(env, of)).toBe("on");
    }
    rmSync(file);
    execFileSync("mkfifo", [file]);
    expect(await readMode(env, of)).toBe("on");
    rmSync(file);
    mkdirSync(file);
    expect(await readMode(env, of)).toBe("on");
  });
});
