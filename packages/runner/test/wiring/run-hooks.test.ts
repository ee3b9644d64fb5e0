// The hooks of a run, asked as the Agent SDK asks them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMeter } from "@jeeves/cut";
import { createDiskStore } from "@jeeves/state";
import { afterEach, beforeEach, expect, it } from "vitest";
import { toAgentEnv } from "../../src/wiring/run-env.ts";
import { createRunHooks } from "../../src/wiring/run-hooks.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-hooks-"));
  mkdirSync(join(dir, "tmp"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const signal = new AbortController().signal;
const QUESTION = "What is the voucher limit?";
const source = Array.from({ length: 1_500 }, (_, i) =>
  i === 900
    ? "const voucherLimitCents = 4_200; // the voucher limit"
    : `const amount${i} = rows.length * ${i} + offset(${i});`,
).join("\n");

function readEvent(more: Readonly<Record<string, unknown>> = {}) {
  const path = join(dir, "a.js");
  const transcript = join(dir, "transcript.jsonl");
  writeFileSync(transcript, `${JSON.stringify({ type: "user", message: { role: "user", content: QUESTION } })}\n`);
  const file = { filePath: path, content: source, numLines: 1_500, startLine: 1, totalLines: 1_500 };
  return {
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: path },
    tool_response: { type: "text", file },
    tool_use_id: "toolu_1",
    session_id: "s1",
    transcript_path: transcript,
    cwd: dir,
    ...more,
  };
}

function hooks({ isThere = true, stateDir = join(dir, "state"), mode = "on" } = {}) {
  const told: string[] = [];
  const own = { HOME: dir, TMPDIR: join(dir, "tmp"), JEEVES_STATE_DIR: stateDir, JEEVES_MODE: mode };
  const env = toAgentEnv(own, { id: "run-1", areHooksOff: false });
  const made = createRunHooks({
    execPath: "/jeeves-exec",
    // No grammar: a line is a line.
    env,
    root: process.cwd(),
    isServerThere: async () => isThere,
    emit: (_level, event) => told.push(event),
  });
  return { ...made, told, env };
}

it("X-21 a Read is answered with its cut, and what was cut is in the store and in the meter with the run's id", async () => {
  const { answer, env, sizesOf } = hooks();
  const said = JSON.stringify(await answer(readEvent(), { signal }));
  expect(said).toContain("voucherLimitCents");
  expect(said.length).toBeLessThan(source.length);
  const [id = ""] = /prn_[a-z2-7]{12}/.exec(said) ?? [];
  expect((await createDiskStore({ env }).get(id))?.text).toBe(source);
  expect(await createMeter(env).entriesOf("s1")).toMatchObject([{ kind: "cut", run_id: "run-1", prune_id: id }]);
  expect(sizesOf("toolu_1")).toMatchObject({ rawBytes: source.length, recoveredBytes: 0 });
  expect(sizesOf("toolu_2")).toBeUndefined();
});

it("nothing is cut while the server is not there: the rest could not be asked for", async () => {
  expect(await hooks({ isThere: false }).answer(readEvent(), { signal })).toEqual({});
});

it("X-21 nothing is cut that cannot be stored", async () => {
  expect(await hooks({ stateDir: "/dev/null/state" }).answer(readEvent(), { signal })).not.toEqual({});
  rmSync(join(dir, "tmp"), { recursive: true, force: true });
  writeFileSync(join(dir, "tmp"), "a file where the fallback directory would be");
  expect(await hooks({ stateDir: "/dev/null/state" }).answer(readEvent(), { signal })).toEqual({});
});

it("X-52 shadow counts and answers nothing", async () => {
  const { answer, env } = hooks({ mode: "shadow" });
  expect(await answer(readEvent(), { signal })).toEqual({});
  expect(await createMeter(env).entriesOf("s1")).toMatchObject([{ kind: "shadow" }]);
});

it("an event of an unknown kind or shape is an empty answer, told once", async () => {
  const { answer, told } = hooks();
  const odd = [{}, { hook_event_name: "Later" }, readEvent({ tool_input: "x" }), readEvent({ tool_response: "plain" })];
  for (const event of [...odd, ...odd]) expect(await answer(event, { signal })).toEqual({});
  expect(told).toEqual(["hook.unknown_shape"]);
});

it("an edit that would write a marker is refused", async () => {
  const edit = { file_path: "/a", old_string: "x", new_string: "⟦… 35 lines 120-154⟧" };
  const event = { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: edit };
  expect(await hooks().answer(event, { signal })).toMatchObject({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
  });
});

it("--no-hooks is a word in the agent's environment, for the hooks that its user has set up", () => {
  expect(toAgentEnv({ A: "1" }, { id: "r", areHooksOff: true })).toEqual({
    A: "1",
    JEEVES_RUN_ID: "r",
    JEEVES_HOOKS: "off",
  });
});
