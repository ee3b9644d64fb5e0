import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { at, jeeves, json, put } from "./init-given.ts";

const TOML = "home/.codex/config.toml";
const OWN = 'model = "x" # mine\n\n[a]\nb = 1\n';
const BEGIN = "# >>> jeeves: jeeves init codex --remove takes this out\n";
const END = "# <<< jeeves\n";
const codex = (...more: readonly string[]) => jeeves("init", "codex", ...more);
const toml = () => readFileSync(at(TOML), "utf8");
const change = (to: (text: string) => string) => put(TOML, to(toml()));
const timesOurs = () => toml().split("[mcp_servers.jeeves]").length - 1;

/** As Codex 0.166 writes it: a new table before the last comment, servers each in its tables and without comments. */
const FEATURES = "\n[features]\nunified_exec = true\n";
const OTHER = '\n[mcp_servers.other]\ncommand = "/bin/true"\n';
const withFeatures = (text: string) => text.replace(END, FEATURES + END);
const withOther = (text: string) =>
  text.replace(BEGIN, "").replace(/env = \{ (.*) \}\n(.*\n)/, (_, env: string, rest: string) => {
    return `${rest}\n[mcp_servers.jeeves.env]\n${env.replaceAll(", ", "\n")}\n${OTHER}`;
  });

describe("Codex' config.toml, changed by others since", () => {
  it.each([
    ["a table before our last comment", withFeatures, OWN + FEATURES],
    ["another server, our first comment gone", withOther, OWN + OTHER],
    ["both", (text: string) => withOther(withFeatures(text)), OWN + OTHER + FEATURES],
    ["a table behind ours, a comment above it", (text: string) => `${text}# why\n[z]\n`, `${OWN}# why\n[z]\n`],
    ["a comment in our table", (text: string) => text.replace("command =", "# why\ncommand ="), `${OWN}# why\n`],
    ["our last comment without a line end", (text: string) => text.replace(/\n$/, ""), OWN],
    [
      "our comment in a text of the user's",
      (text: string) => `${text}\n[z]\nt = """\n${END}"""\n`,
      `${OWN}\n[z]\nt = """\n${END}"""\n`,
    ],
  ])("--remove and a second init leave it as it is: %s", (_what, changed, without) => {
    put(TOML, OWN);
    expect(codex().status).toBe(0);
    const ours = toml().slice(OWN.length);
    change(changed);
    expect(codex()).toMatchObject({ status: 0, stderr: "" });
    expect(toml()).toBe(without + ours);
    expect(codex().stdout).toContain("nothing to do");
    expect(codex("--remove").status).toBe(0);
    expect(toml()).toBe(without);
    put(TOML, OWN);
    expect(codex().status).toBe(0);
    change(changed);
    expect(codex("--remove").status).toBe(0);
    expect(toml()).toBe(without);
  });

  it("a server of ours is known by its file: one that another copy set up is taken over", () => {
    put(TOML, `${OWN}\n[mcp_servers.jeeves]\ncommand = "node"\nargs = [\n  "/old/mcp-pruner/dist/index.js",\n]\n`);
    expect(codex().status).toBe(0);
    expect(toml()).not.toContain("/old/");
    expect(timesOurs()).toBe(1);
    expect(codex("--remove").status).toBe(0);
    expect(toml()).toBe(OWN);
  });

  it("another tool's server of our name is left untouched, by --remove too", () => {
    const others = `[mcp_servers.jeeves]\ncommand = "butler"\nargs = ["my-mcp-pruner/dist/index.js"]\n${END}`;
    put(TOML, others);
    const refused = codex();
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain("has an mcp_servers.jeeves of its own (line 1)");
    expect(toml()).toBe(others);
    expect(existsSync(at("home/.codex/hooks.json"))).toBe(false);
    expect(codex("--remove").status).toBe(0);
    expect(toml()).toBe(others.replace(END, ""));
  });
});

describe("Codex' hooks.json", () => {
  const HOOKS = "home/.codex/hooks.json";

  it("--tools takes our hooks out again, and makes no file for none", () => {
    expect(codex("--tools").status).toBe(0);
    expect(existsSync(at(HOOKS))).toBe(false);
    const own = put(HOOKS, '{ "hooks": {} }');
    expect(codex().status).toBe(0);
    expect(readFileSync(at(HOOKS), "utf8")).toContain("jeeves_hook");
    expect(codex("--tools").stdout).toContain(`restored  ${at(HOOKS)}`);
    expect(readFileSync(at(HOOKS), "utf8")).toBe(own);
    expect(timesOurs()).toBe(1);
    expect(codex("--tools").stdout).toContain("nothing to do");
  });

  it("--tools removes the file where there was none, and leaves hooks of the user's", () => {
    expect(codex().status).toBe(0);
    expect(codex("--tools").status).toBe(0);
    expect(existsSync(at(HOOKS))).toBe(false);
    expect(codex().status).toBe(0);
    const own = { matcher: "X", hooks: [{ type: "command", command: "./mine.sh" }] };
    const { hooks } = json(HOOKS);
    put(HOOKS, JSON.stringify({ hooks: { ...hooks, PreToolUse: [own, ...hooks.PreToolUse] } }));
    expect(codex("--tools").status).toBe(0);
    expect(json(HOOKS)).toEqual({ hooks: { PreToolUse: [own] } });
  });

  it.each([["--tools"], ["--hooks"], ["--both"]])("%s --remove takes everything of ours out", (part) => {
    expect(codex().status).toBe(0);
    expect(codex(part, "--remove").status).toBe(0);
    for (const path of [HOOKS, TOML]) expect(existsSync(at(path))).toBe(false);
  });

  it("a hooks.json that is broken is said, with --tools too, and nothing is changed", () => {
    put(HOOKS, "{ oops");
    expect(codex("--tools")).toMatchObject({ status: 2, stdout: "" });
    expect(existsSync(at(TOML))).toBe(false);
  });

  it("--tools does not mind a link without hooks of ours, and takes ours out of the file behind one", () => {
    put("dotfiles/hooks.json", '{"hooks":{}}');
    mkdirSync(at("home/.codex"));
    symlinkSync(at("dotfiles/hooks.json"), at(HOOKS));
    expect(codex("--tools")).toMatchObject({ status: 0, stderr: "" });
    put("dotfiles/hooks.json", '{"a":1,"hooks":{"PreToolUse":[{"hooks":[{"server":"jeeves","tool":"jeeves_hook"}]}]}}');
    expect(codex("--tools")).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(at("dotfiles/hooks.json"), "utf8")).toBe('{"a":1}');
  });
});

it("keys that the user added to our table were dropped: init keeps them, --remove and uninstall say that they went", () => {
  expect(codex().status).toBe(0);
  const text = readFileSync(at(TOML), "utf8");
  const own = text
    .replace('PRUNER_ENGINE = "embedded"', 'PRUNER_ENGINE = "embedded", MINE = "a"')
    .replace("default_tools", "tool_timeout_sec = 90\ndefault_tools");
  put(TOML, own);
  expect(codex("--shadow").status).toBe(0);
  expect(codex().status).toBe(0);
  for (const line of ["tool_timeout_sec = 90", 'MINE = "a"']) expect(readFileSync(at(TOML), "utf8")).toContain(line);
  const words = (what: string) => `jeeves: ${at(TOML)}: what you had added to our entry went with it: ${what}\n`;
  expect(codex("--remove").stderr).toBe(words('env.MINE = "a"') + words("tool_timeout_sec = 90"));
  put(TOML, own);
  expect(jeeves("uninstall", "--yes").stderr).toContain(words("tool_timeout_sec = 90"));
});
