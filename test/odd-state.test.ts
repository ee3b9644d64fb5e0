// X-60 with real files: whatever lies in the place of a file of the state directory, a tool that has run is answered.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findSystemPerl } from "@jeeves/base";
import { describe, expect, it, vi } from "vitest";
import { BINS, type Places, startFaulty } from "./faults/faulty-process.ts";
import {
  asUser,
  canBeForeign,
  givenPlaces,
  isRoot,
  LOG,
  months,
  ODD,
  QUESTION,
  SPOTS,
  spoil,
} from "./faults/odd-files.ts";

const EXEC = fileURLToPath(new URL("../packages/cli/bin/jeeves-exec", import.meta.url));

describe.concurrent("X-60 a server whose state directory holds", () => {
  it.each(Object.entries(ODD))("%s answers with the cut, and warns", async (name, make) => {
    const places = givenPlaces({ JEEVES_RESULT_FORM: "both" });
    const server = await startFaulty("stdio", { places, client: "claude-code", ...asUser });
    try {
      let round = 0;
      for (const [spot, paths] of Object.entries(SPOTS)) {
        const text = `${LOG.join("\n")}\nround ${++round}\n`;
        writeFileSync(join(places.root, `${round}.log`), text);
        spoil(places, paths, make);
        const ask = { file_path: `${round}.log`, context_focus_question: QUESTION };
        const read = await server.call("read", ask);
        const shown = `${name} as ${spot}: ${JSON.stringify(read).slice(0, 300)}`;
        expect(read.error, shown).toBeUndefined();
        expect(read.result.structuredContent.pruning.applied, shown).toBe(true);
        const id = read.result.structuredContent.pruning.prune_id;
        const back = await server.call("recover_text", { prune_id: id });
        expect(back.error, shown).toBeUndefined();
        const event = {
          hook_event_name: "PostToolUse",
          tool_name: "mcp__other__fetch",
          tool_input: JSON.stringify({ query: `${QUESTION} ${round}` }),
          tool_response: JSON.stringify([{ type: "text", text }]),
          session_id: `s${round}`,
        };
        const hook = await server.call("jeeves_hook", event);
        expect(hook.result.content[0].text, shown).toContain("prn_");
      }
      expect(server.events.filter(({ event }) => event === "tool.internal_error")).toEqual([]);
      const faults = server.events.filter(({ event }) => event === "state.fault");
      // Once per cause: three calls in each of eight places are not a warning each.
      expect(faults.length).toBeGreaterThan(1);
      expect(new Set(faults.map(({ data }) => JSON.stringify(data))).size).toBe(faults.length);
    } finally {
      server.kill();
    }
  });

  it("nothing that can be written shows everything, and names the store", async () => {
    const places = givenPlaces();
    const server = await startFaulty("stdio", { places, ...asUser });
    try {
      const text = `${LOG.join("\n")}\n`;
      writeFileSync(join(places.root, "a.log"), text);
      spoil(places, ["."], (path) => writeFileSync(path, ""));
      rmSync(join(places.home, "tmp"), { recursive: true });
      writeFileSync(join(places.home, "tmp"), "");
      const { result } = await server.call("read", { file_path: "a.log", context_focus_question: QUESTION });
      expect(result.content[0].text).toBe(text);
      expect(result.structuredContent.pruning).toMatchObject({ applied: false, reason: "store_unavailable" });
    } finally {
      server.kill();
    }
  });
});

// Only root can run a program as such a user.
it.runIf(isRoot && canBeForeign)("X-60 a user without a home or an entry in the password file is served", async () => {
  const places = givenPlaces();
  const { HOME: _home, JEEVES_STATE_DIR: _state, ...env } = places.env;
  for (const dir of [dirname(places.home), places.home, places.root]) chmodSync(dir, 0o755);
  chmodSync(join(places.home, "tmp"), 0o777);
  const server = await startFaulty("stdio", { places: { ...places, env }, uid: 54_321 });
  try {
    writeFileSync(join(places.root, "a.log"), `${LOG.join("\n")}\n`);
    const { result } = await server.call("read", { file_path: "a.log", context_focus_question: QUESTION });
    expect(result.structuredContent.pruning.applied).toBe(true);
  } finally {
    server.kill();
  }
});

describe.concurrent("X-60 X-17 an event log that is", () => {
  it.each(Object.entries(ODD).filter(([name]) => name !== "a file of five gigabytes" && name !== "an endless device"))(
    "%s costs one warning",
    async (name, make) => {
      const places = givenPlaces();
      const log = join(places.home, "events.jsonl");
      make(log);
      places.env.JEEVES_EVENT_LOG = log;
      const server = await startFaulty("stdio", { places, ...asUser });
      try {
        writeFileSync(join(places.root, "a.txt"), "a\n");
        // An unread pipe takes 64 kB before it is full.
        for (let i = 0; i < (name === "a pipe" ? 100 : 3); i++) {
          const { result } = await server.call("read", { file_path: "a.txt" });
          expect(result.content[0].text).toBe("a\n");
        }
        const warnings = () => server.events.filter(({ event }) => event === "events.file_failed");
        await vi.waitFor(() => expect(warnings()).toHaveLength(1), { timeout: 20_000 });
        expect(await server.stop()).toBe(0);
      } finally {
        server.kill();
      }
    },
  );
});
const hasPerl = (await findSystemPerl()) !== undefined;
describe.concurrent("X-60 jeeves-exec, whose mode and meter are", () => {
  const command = "cat run.log; exit 3";
  const text = `${LOG.join("\n")}\n`;
  const run = async (places: Places, env: Readonly<Record<string, string>> = {}) => {
    writeFileSync(join(places.root, "run.log"), text);
    const child = spawn(EXEC, ["--client=claude-code", "--session=s1", command], {
      cwd: places.root,
      env: { ...places.env, JEEVES_NODE: process.execPath, ...env },
      stdio: ["ignore", "pipe", "ignore"],
      ...asUser,
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      out += more;
    });
    const [code] = await once(child, "close");
    return { code, out };
  };

  it.runIf(hasPerl).each(Object.entries(ODD))("%s, prints the cut", async (_name, make) => {
    const places = givenPlaces();
    spoil(places, ["mode", ...(SPOTS["this month's meter"] ?? [])], make);
    const { code, out } = await run(places);
    expect(code).toBe(3);
    expect(out).toContain("lost its job");
    expect(out).toMatch(/prn_[a-z2-7]{12}/);
  });

  it.each([
    ["never answers", "exec sleep 600"],
    ["answers half and hangs", "printf '5000\\nworker'; exec sleep 600"],
    ["answers with garbage", "cat; exit 0"],
    ["dies", "kill -9 $$"],
  ])("fine, but whose Node %s, prints everything", async (_name, script) => {
    const places = givenPlaces();
    const node = join(places.root, "node");
    writeFileSync(node, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    expect(await run(places, { JEEVES_NODE: node, JEEVES_EXEC_CUT_MS: "300" })).toEqual({ code: 3, out: text });
  });
});

describe.concurrent("X-60 the command line with a meter that is", () => {
  const odd = Object.entries(ODD).filter(([name]) => ["a pipe", "a directory", "an endless device"].includes(name));
  it.each(odd)("%s goes on, and says so", async (_name, make) => {
    const places = givenPlaces();
    spoil(places, SPOTS["this month's meter"] ?? [], make);
    const file = join(places.root, "a.log");
    writeFileSync(file, `${LOG.join("\n")}\n`);
    const jeeves = (...args: string[]) =>
      spawnSync(process.execPath, [BINS.cli, ...args], {
        cwd: places.root,
        env: places.env,
        encoding: "utf8",
        timeout: 30_000,
        ...asUser,
      });
    const cut = jeeves("prune", file, "--focus", QUESTION);
    expect(cut).toMatchObject({ status: 0, stdout: expect.stringContaining("lost its job") });
    const [id = ""] = /prn_[a-z2-7]{12}/.exec(cut.stderr) ?? [];
    expect(jeeves("recover", id)).toMatchObject({ status: 0, stdout: readFileSync(file, "utf8") });
    const [month = ""] = months();
    const stats = jeeves("stats");
    expect(stats).toMatchObject({ status: 0, stderr: expect.stringContaining(`${month}.jsonl is not a regular file`) });
    const { ok, checks } = JSON.parse(jeeves("doctor", "--json").stdout);
    expect(ok).toBe(false);
    expect(checks).toContainEqual(
      expect.objectContaining({ name: "meter", state: "bad", mend: expect.stringContaining(`${month}.jsonl`) }),
    );
  });
});
