// Gemini CLI and opencode with what `npm run package` makes for them, installed from a local path by the lines of the
// README: what their models get, and what is left after it was taken out.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesIn } from "../../packages/cut/test/search/match-places.ts";
import { withPaths } from "../../packages/intercept/test/with-paths.ts";
import { ensurePackaged } from "../../scripts/package/ensure-packaged.mjs";
import { writeLongCallSites } from "./call-sites.ts";
import { CLIENTS } from "./conformance-rows.ts";
import type { HookedClient } from "./conformance-suite.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FAILURES,
  FOCUS,
  type InterceptProject,
} from "./intercept-project.ts";
import { CLIENTS_BIN } from "./offline-settings.ts";
import { readmeCommands } from "./readme-commands.ts";
import type { Conversation } from "./scripted-model.ts";

interface Packaged {
  readonly word: string;
  /** What the README leaves to a terminal. */
  readonly consent: string;
  readonly settings: string;
  takeOut(place: { readonly settings: string; readonly env: Record<string, string> }): void;
}

const PACKAGED: readonly Packaged[] = [
  {
    word: "gemini",
    consent: " --consent",
    settings: ".gemini/settings.json",
    takeOut({ env }) {
      execFileSync(join(CLIENTS_BIN, "gemini"), ["extensions", "uninstall", "jeeves"], { env, stdio: "ignore" });
    },
  },
  {
    word: "opencode",
    consent: "",
    settings: ".config/opencode/opencode.json",
    // It has no command for that.
    takeOut({ settings }) {
      // The schema is its own line.
      const { plugin, $schema, ...rest } = JSON.parse(readFileSync(settings, "utf8"));
      expect(plugin).toEqual([expect.stringContaining("/out/opencode")]);
      writeFileSync(settings, JSON.stringify(rest));
    },
  },
];

function rowOf(word: string): HookedClient {
  const row = CLIENTS.find((client) => client.word === word);
  if (row === undefined) throw new Error(`no row for ${word}`);
  return row;
}

describe.each(PACKAGED)("$word", ({ word, consent, settings, takeOut }) => {
  const client = rowOf(word);
  let out: string;
  let project: InterceptProject;
  let env: Record<string, string>;
  let before: string;
  let places: Set<string>;
  let seen: Conversation;

  beforeAll(async () => {
    out = await ensurePackaged();
    project = await createInterceptProject();
    places = await writeLongCallSites(project);
    const at = (name: string) => join(project.root, name);
    const own = await client.prepare(project, at("src/command.js"));
    env = { ...own, JEEVES_STATE_DIR: project.stateDir };
    before = readFileSync(join(project.home, settings), "utf8");
    // A path with characters that a shell would read.
    const clone = join(project.dir, "it's $HOME");
    mkdirSync(clone);
    symlinkSync(out, join(clone, "out"));
    for (const words of readmeCommands(word))
      execFileSync("sh", ["-c", `${word} ${words.join(" ")}${consent}`], {
        cwd: clone,
        env: { ...env, PATH: `${CLIENTS_BIN}${delimiter}${env.PATH}` },
        stdio: "ignore",
      });
    const part = project.source.split("\n").slice(-1_510);
    writeFileSync(at("src/part.js"), part.join("\n"));
    const script = [
      client.read(at("src/part.js")),
      client.shell("npm test"),
      client.search("normalizePath", "lib"),
      { say: "Done." },
    ];
    // opencode 1.18 sometimes shows a command's output without its end: then once more.
    for (let tries = 0; tries < 3; tries++) {
      seen = await client.run({ prompt: FOCUS, script, cwd: project.root, env });
      if (plain(1).includes("20000 passed")) break;
    }
  });
  afterAll(() => project?.remove());

  const plain = (index: number) => client.plain(seen.outputs[index]?.parts.join("\n") ?? "");

  it("lists no tool of ours", () => {
    expect(seen.tools.filter(({ server, tool }) => /jeeves/.test(`${server} ${tool}`))).toEqual([]);
    expect(seen.outputs.map(({ isError }) => isError)).toEqual([false, false, false]);
  });

  it("a native read of 1,500 lines reaches the model cut, and numbered truly", () => {
    const raw = readFileSync(join(project.root, "src/part.js"), "utf8").trimEnd();
    const kept = checkCut(plain(0), raw, { numbered: client.reads === "numbered" });
    expect(kept).toContain(`  ${ANSWER}`);
    expect(kept.length).toBeLessThan(700);
  });

  it("a failing test run of 20,000 lines keeps every failure", () => {
    const lines = plain(1).split("\n");
    for (const line of FAILURES.flat()) expect(lines).toContain(line);
    expect(plain(1).length).toBeLessThan(12_000);
  });

  it("X-58 a search names the matches that the client found, in full or by their lines", () => {
    const named = placesIn(withPaths(plain(2)));
    expect(plain(2)).toMatch(/rest: .*prn_/);
    expect(named).toHaveLength(Math.min(client.maxMatches, places.size));
    expect(named.filter((place) => !places.has(place))).toEqual([]);
  });

  it("is taken out again, and the client's settings are as before", () => {
    const path = join(project.home, settings);
    takeOut({ settings: path, env });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(JSON.parse(before));
    expect(existsSync(join(project.home, ".gemini/extensions/jeeves"))).toBe(false);
    expect(existsSync(join(project.home, ".local/share/jeeves"))).toBe(false);
  });
});

it("the extension's hooks do nothing, and do not fail, where the extension or its program is gone", async () => {
  const out = await ensurePackaged();
  const { hooks } = JSON.parse(readFileSync(join(out, "gemini/hooks/hooks.json"), "utf8"));
  const commands = Object.values<{ hooks: { command: string }[] }[]>(hooks).flatMap((groups) =>
    groups.flatMap((group) => group.hooks.map(({ command }) => command)),
  );
  expect(commands).toHaveLength(2);
  const project = await createInterceptProject();
  try {
    const half = join(project.dir, "half");
    mkdirSync(join(half, "packages/cli/bin"), { recursive: true });
    const hook = "packages/cli/bin/jeeves-hook";
    writeFileSync(join(half, hook), readFileSync(join(out, "gemini", hook)));
    const input = JSON.stringify({ hook_event_name: "AfterTool", tool_response: { llmContent: project.log } });
    for (const JEEVES_EXTENSION of [join(project.dir, "gone"), half])
      for (const command of commands) {
        const { PATH = "" } = process.env;
        const done = spawnSync("sh", ["-c", command], { env: { PATH, JEEVES_EXTENSION }, input, encoding: "utf8" });
        expect([done.status, done.stdout, done.stderr]).toEqual([0, "", ""]);
      }
    expect(readdirSync(project.home)).toEqual([]);
  } finally {
    await project.remove();
  }
});
