// `jeeves wipe`, and `jeeves uninstall` where its settings were changed by hand, on the built bin.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { at, jeeves, put } from "./init-given.ts";

const LINES = Array.from({ length: 400 }, (_, n) => `export const value${n} = ${n};`).join("\n");

function store(text: string): string {
  put("project/a.ts", text);
  const done = jeeves("prune", "a.ts", "--focus", "value7", "--json");
  expect(done.status).toBe(0);
  return /prn_\w+/.exec(done.stdout)?.[0] ?? "";
}

it("says how many texts and bytes there are, removes nothing without --yes, and with it everything", () => {
  expect(jeeves("wipe")).toMatchObject({ status: 0, stdout: expect.stringContaining("nothing to do: no texts") });
  const ids = [store(LINES), store(`${LINES}\n// one more\n`)];
  put("state/store/mine.txt", "mine");
  mkdirSync(at("state/store/x"), { recursive: true });
  put("state/store/x/notes.txt", "mine, too");
  const asked = jeeves("wipe");
  expect(asked).toMatchObject({ status: 2, stderr: expect.stringContaining("jeeves wipe --yes removes them") });
  expect(asked.stdout).toMatch(new RegExp(`^2 texts, \\d+\\.\\d kB in {2}${at("state/store")}\n$`));
  for (const id of ids) expect(jeeves("recover", id).status).toBe(0);
  const done = jeeves("wipe", "--yes");
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toMatch(/\nremoved {2}2 texts, \d+\.\d kB from {2}/);
  for (const id of ids) expect(jeeves("recover", id).status).toBe(1);
  expect(readFileSync(at("state/store/usage"), "utf8")).toBe("");
  expect(readFileSync(at("state/store/mine.txt"), "utf8")).toBe("mine");
  expect(readdirSync(at("state/store/x"))).toContain("notes.txt");
  expect(jeeves("recover", store(LINES)).stdout).toBe(LINES);
});

it("uninstall works without the settings that init wrote, and says which had nothing of ours any more", () => {
  const own = put("home/.gemini/settings.json", '{\n  "theme": "x" // mine\n}\n');
  for (const client of ["gemini", "codex", "opencode"]) expect(jeeves("init", client).status).toBe(0);
  put("home/.gemini/settings.json", own.replace("x", "y"));
  rmSync(at("home/.codex/config.toml"));
  rmSync(at("home/.config"), { recursive: true });
  const done = jeeves("uninstall", "--yes");
  expect(done.status).toBe(0);
  expect(done.stdout).toContain(`nothing of ours was left in  ${at("home/.gemini/settings.json")}`);
  for (const path of ["home/.codex/config.toml", "home/.config/opencode/plugin/jeeves.js"])
    expect(done.stdout).toContain(`was gone already  ${at(path)}`);
  expect(readFileSync(at("home/.gemini/settings.json"), "utf8")).toBe(own.replace("x", "y"));
  for (const path of [".codex", ".local", ".config"]) expect(existsSync(join(at("home"), path))).toBe(false);
  expect(jeeves("uninstall", "--yes").stdout).toContain("nothing to do");
});
