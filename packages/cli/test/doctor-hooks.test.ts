// Hooks of ours that a client does not run, because they are gone from its settings or because its user turned hooks off:
// on the built bin with stand-ins for the clients' programs.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findSystemPerl } from "@jeeves/base";
import { expect, it } from "vitest";
import { doctor, install } from "./doctor-given.ts";
import { at, jeeves, json, put } from "./init-given.ts";

const hasPerl = (await findSystemPerl()) !== undefined;
const JEEVES = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
const CLAUDE = "home/.claude/settings.json";

/** Our server stays in another file: it answers, and no hook asks it. */
it("doctor called a client connected whose settings had lost our hooks", () => {
  install("claude", "2.1.325");
  install("codex", "0.166.0");
  for (const client of ["claude-code", "codex"]) expect(jeeves("init", client).status).toBe(0);
  put(CLAUDE, JSON.stringify({ env: json(CLAUDE).env }));
  rmSync(at("home/.codex/hooks.json"));
  const { status, of } = doctor();
  expect(status).toBe(1);
  for (const [name, client] of [
    ["claude code", "claude-code"],
    ["codex", "codex"],
  ] as const)
    expect(of(name)).toMatchObject({
      state: "bad",
      found: expect.stringContaining("a try failed: its settings name our server, and no hook that asks it"),
      mend: `jeeves init ${client}`,
    });
  expect(jeeves("init", "claude-code").status).toBe(0);
  expect(doctor().of("claude code")?.found).not.toContain("failed");
});

it.runIf(hasPerl)("doctor called all good where our shell prefix had been taken out of the settings", () => {
  install("claude", "2.1.325");
  expect(jeeves("init", "claude-code").status).toBe(0);
  put(CLAUDE, JSON.stringify({ hooks: json(CLAUDE).hooks }));
  expect(doctor().of("claude code")).toMatchObject({
    state: "note",
    found: expect.stringMatching(/tried: 2008 lines of a Read, by its hook → \d+; commands are not cut yet$/),
    mend: "jeeves init claude-code",
  });
  // Our tools alone need no prefix.
  expect(jeeves("init", "claude-code", "--tools").status).toBe(0);
  expect(doctor().of("claude code")?.state).toBe("good");
});

const OFF = [
  ["claude-code", "claude code", CLAUDE, { disableAllHooks: true }, "says disableAllHooks: true"],
  [
    "gemini",
    "gemini cli",
    "home/.gemini/settings.json",
    { hooksConfig: { enabled: false } },
    "says hooksConfig.enabled: false",
  ],
  [
    "gemini",
    "gemini cli",
    "home/.gemini/settings.json",
    { hooksConfig: { disabled: ["jeeves"] } },
    "names ours in hooksConfig.disabled",
  ],
] as const;

it.each(OFF)("hooks that the user of %s turned off were shown as cutting", (client, label, path, own, why) => {
  const program = client === "claude-code" ? "claude" : client;
  install(program, client === "gemini" ? "0.61.0" : "2.1.325");
  put(path, JSON.stringify(own));
  mkdirSync(at("tmp"), { recursive: true });
  const env = {
    HOME: at("home"),
    JEEVES_STATE_DIR: at("state"),
    TMPDIR: at("tmp"),
    PATH: `${at("bin")}:/usr/bin:/bin`,
  };
  const shown = spawnSync(process.execPath, [JEEVES, "setup", "--yes"], { cwd: at("project"), env, encoding: "utf8" });
  expect(shown.status).toBe(0);
  expect(shown.stdout).toContain(`its hooks are turned off: ${at(path)} ${why}: take that setting out\n`);
  // Commands go through the shell prefix, which is no hook.
  if (client === "gemini") expect(shown.stdout).toContain("· Gemini CLI: nothing is cut, its hooks are turned off");
  expect(doctor().of(label)).toMatchObject({
    state: "note",
    found: expect.stringContaining(`connected, but its hooks are turned off: ${at(path)} ${why}`),
    mend: "take that setting out",
  });
});

it.each(OFF)(
  "init said that %s's own tools are cut, although its hooks are turned off",
  (client, _label, path, own, why) => {
    put(path, JSON.stringify(own));
    const env = { HOME: at("home"), JEEVES_STATE_DIR: at("state"), PATH: `${at("bin")}:/usr/bin:/bin` };
    const options = { cwd: at("project"), env, encoding: "utf8" } as const;
    const shown = [1, 2].map(() => spawnSync(process.execPath, [JEEVES, "init", client], options).stdout);
    const what = client === "claude-code" ? "commands are cut, its Read and Grep are not" : "own tools are not cut";
    for (const text of shown) expect(text).toContain(`'s ${what}: its hooks are turned off: ${at(path)} ${why}`);
  },
);

it("Codex' hooks that its user turned off are said, and a project may turn them on again", () => {
  install("codex", "0.166.0");
  put("home/.codex/config.toml", "[features]\nhooks = false\n");
  expect(jeeves("init", "codex").status).toBe(0);
  const off = `its hooks are turned off: ${at("home/.codex/config.toml")} says features.hooks: false`;
  expect(doctor().of("codex")?.found).toContain(off);
  put("project/.codex/config.toml", "[features]\nhooks = true\n");
  expect(doctor().of("codex")?.found).not.toContain("turned off");
  expect(readFileSync(at("home/.codex/config.toml"), "utf8")).toContain("hooks = false");
});
