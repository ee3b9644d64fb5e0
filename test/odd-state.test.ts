// X-60 with real files: whatever lies in the place of a file of the state directory, a tool that has run is answered.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { BINS, makePlaces, type Places, startFaulty } from "./faults/faulty-process.ts";

const EXEC = fileURLToPath(new URL("../packages/cli/bin/jeeves-exec", import.meta.url));
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Root may read everything, so as root the program runs as somebody else, where the clone lets it. */
const canBeForeign =
  !isRoot || spawnSync(process.execPath, ["-e", ""], { uid: NOBODY, cwd: dirname(BINS.stdio) }).status === 0;

const ODD: Readonly<Record<string, (path: string) => void>> = {
  "a directory": (path) => mkdirSync(path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "an endless device": (path) => symlinkSync("/dev/zero", path),
  "a full device": (path) => symlinkSync("/dev/full", path),
  "a link that leads nowhere": (path) => symlinkSync("/nowhere/at/all", path),
  "a file of five gigabytes": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 5e9);
  },
  ...(canBeForeign
    ? {
        "somebody else's file": (path: string) => {
          writeFileSync(path, "off\n", { mode: 0o600 });
          if (!isRoot) chmodSync(path, 0);
        },
      }
    : {}),
};

function months(): string[] {
  return [0, 60_000].map((aheadMs) => new Date(Date.now() + aheadMs).toISOString().slice(0, 7));
}

const SPOTS: Readonly<Record<string, readonly string[]>> = {
  mode: ["mode"],
  "this month's meter": [...new Set(months())].map((month) => `meter/${month}.jsonl`),
  "the meter": ["meter"],
  "the store": ["store"],
  "the store's usage": ["store/usage"],
  "the store's last sweep": ["store/swept"],
  "the store's locks": ["store/locks"],
  "the state directory": ["."],
};

/** An ordinary state directory with `make`'s thing in it; all of it is the user's own but for that. */
function spoil({ state }: Places, spots: readonly string[], make: (path: string) => void): void {
  rmSync(state, { recursive: true, force: true });
  for (const spot of spots) {
    const path = join(state, spot);
    for (const dir of spot === "." ? [] : [state, dirname(path)]) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      if (isRoot && canBeForeign) chownSync(dir, NOBODY, NOBODY);
    }
    make(path);
  }
}

function givenPlaces(more: Readonly<Record<string, string>> = {}): Places {
  const places = makePlaces({ JEEVES_STATE_WAIT_MS: "", JEEVES_EVENT_LOG: "", ...more });
  const base = dirname(places.home);
  if (isRoot && canBeForeign)
    for (const dir of [base, places.home, places.state, places.root, join(places.home, "tmp")])
      chownSync(dir, NOBODY, NOBODY);
  made.push(places);
  return places;
}
const made: Places[] = [];
afterAll(() => {
  for (const places of made) places.remove();
});
const asUser = isRoot && canBeForeign ? { uid: NOBODY } : {};

const LOG = Array.from({ length: 400 }, (_, i) =>
  i === 200
    ? "ERROR worker 910 lost its job: connection reset by peer"
    : `worker ${i * 7} took job ${i} from the queue`,
);
const QUESTION = "which worker lost its job?";

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
        // A pipe that nobody reads takes its 64 kB first.
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
describe.concurrent("X-60 jeeves-exec, whose mode and meter are", () => {
  const command = "cat run.log; exit 3";
  const text = `${LOG.join("\n")}\n`;
  const run = async (places: Places, env: Readonly<Record<string, string>> = {}) => {
    writeFileSync(join(places.root, "run.log"), text);
    const child = spawn(EXEC, ["--client=claude-code", "--session=s1", command], {
      cwd: places.root,
      env: { ...places.env, JEEVES_NODE: process.execPath, JEEVES_EXEC_NOTE_AFTER_MS: "0", ...env },
      stdio: ["ignore", "pipe", "ignore"],
      ...asUser,
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      out += more;
    });
    const [code] = await once(child, "close");
    // The line that names the copy, which is there while something is kept back.
    return { code, out: out.replace(/^\[\d+ more lines so far;.*\n/m, "") };
  };

  it.each(Object.entries(ODD))("%s, prints the cut", async (_name, make) => {
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

describe("X-60 where every open in the state directory really blocks", () => {
  /** A pipe without a writer stands for the disk: each open keeps a thread of Node's pool, which an exit waits for. */
  function blockedPlaces(isFallbackBlocked = false) {
    const places = givenPlaces({ JEEVES_STATE_WAIT_MS: "200" });
    const pipe = join(places.root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const preload = join(places.root, "block.mjs");
    const blocked = isFallbackBlocked ? places.home : places.state;
    const isState = `String(path).startsWith(${JSON.stringify(blocked)})`;
    writeFileSync(
      preload,
      `import fsp from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module"; const { open } = fsp;
       fsp.open = (path, ...rest) => (${isState} ? open(${JSON.stringify(pipe)}, "r") : open(path, ...rest));
       syncBuiltinESMExports();`,
    );
    return { places, preload };
  }

  it.each([
    ["alone", false],
    ["and in its fallback", true],
  ])("(%s) a server answers many calls at once, the next one too, and ends", async (_name, isFallbackBlocked) => {
    const { places, preload } = blockedPlaces(isFallbackBlocked);
    const server = await startFaulty("stdio", { places, preload });
    try {
      const names = Array.from({ length: 20 }, (_, i) => `${i}.log`);
      for (const name of names) writeFileSync(join(places.root, name), `${name}\n${LOG.join("\n")}\n`);
      const read = (name: string) => server.call("read", { file_path: name, context_focus_question: QUESTION });
      for (const { error, result } of await Promise.all(names.map(read))) {
        expect(error).toBeUndefined();
        expect(result.content[0].text).toContain("lost its job");
      }
      writeFileSync(join(places.root, "next.txt"), "next\n");
      expect((await server.call("read", { file_path: "next.txt" })).result.content[0].text).toBe("next\n");
      expect(server.events.filter(({ event }) => event === "state.fault").length).toBeGreaterThan(0);
      await server.stop();
    } finally {
      server.kill();
    }
  });

  it("a command prints its text, whole or cut, and ends", () => {
    const { places, preload } = blockedPlaces();
    const file = join(places.root, "a.log");
    writeFileSync(file, `${LOG.join("\n")}\n`);
    const args = ["--import", preload, BINS.cli, "prune", file, "--focus", QUESTION];
    const done = spawnSync(process.execPath, args, { env: places.env, encoding: "utf8", timeout: 30_000 });
    expect(done.error).toBeUndefined(); // ETIMEDOUT
    expect(done.stdout).toContain("lost its job");
    expect(done.stderr).toContain("does not answer");
  });

  it.each([["recover", "prn_aaaaaaaaaaaa"], ["stats"], ["doctor"]])("jeeves %s says so, and ends", (...words) => {
    const { places, preload } = blockedPlaces();
    mkdirSync(join(places.state, "meter"), { mode: 0o700 });
    for (const spot of SPOTS["this month's meter"] ?? []) writeFileSync(join(places.state, spot), "{}\n");
    const args = ["--import", preload, BINS.cli, ...words];
    const done = spawnSync(process.execPath, args, { env: places.env, encoding: "utf8", timeout: 30_000 });
    expect(done.error).toBeUndefined(); // ETIMEDOUT
    expect(done.stdout + done.stderr).toContain("does not answer");
  });
});
