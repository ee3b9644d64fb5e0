// The built `jeeves`, as a person or a script runs it.
import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const BIN = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-cli-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function jeeves(args: readonly string[], options: SpawnSyncOptions = {}) {
  const done = spawnSync(process.execPath, [BIN, ...args], {
    cwd: dir,
    maxBuffer: 1 << 28,
    ...options,
    env: { PATH: process.env.PATH ?? "", HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), ...options.env },
  });
  return { code: done.status, out: String(done.stdout), err: String(done.stderr) };
}

const FUNCTIONS = Array.from({ length: 200 }, (_, index) =>
  index === 120
    ? "export function chooseListeningPort(env) {\n  const asked = Number(env.PORT);\n  return asked > 0 ? asked : 8006;\n}\n"
    : `export function handleRecord${index}(record) {\n  const copy = { ...record, seen: ${index} };\n  return copy;\n}\n`,
);
const SOURCE = FUNCTIONS.join("\n");
const QUESTION = "How is the listening port chosen?";
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(dir, name), content);

describe("jeeves prune", () => {
  it("prints the lines that answer, markers for the rest, and the way back on stderr", () => {
    write("server.js", SOURCE);
    const { code, out, err } = jeeves(["prune", "server.js", "--focus", QUESTION]);
    expect(code).toBe(0);
    expect(out).toContain("chooseListeningPort");
    expect(out).toMatch(/^⟦… \d+ lines \d+-\d+⟧$/m);
    expect(out.length).toBeLessThan(SOURCE.length / 2);
    const id = /jeeves recover (prn_[a-z0-9]{12})/.exec(err)?.[1] ?? "";
    expect(jeeves(["recover", id]).out).toBe(SOURCE);
  });

  it("kept lines and recovered blocks are the original, byte for byte", () => {
    write("crlf.js", SOURCE.replaceAll("\n", "\r\n"));
    const { out, err } = jeeves(["prune", "crlf.js", "--focus", QUESTION, "--keep", "0.2"]);
    const id = /prn_[a-z0-9]{12}/.exec(err)?.[0] ?? "";
    const whole = out
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => {
        const marker = /^⟦… \d+ lines? (\d+)-(\d+)/.exec(line);
        if (marker === null) return line;
        return jeeves(["recover", id, "--lines", `${marker[1]}-${marker[2]}`]).out.replace(/\n$/, "");
      })
      .join("\n");
    expect(`${whole}\n`).toBe(SOURCE.replaceAll("\n", "\r\n"));
  }, 120_000);

  it("--keep is obeyed, more keeps more", () => {
    const size = (keep: string) => jeeves(["prune", "server.js", "--focus", QUESTION, "--keep", keep]).out.length;
    expect(size("0.1")).toBeLessThan(SOURCE.length * 0.2);
    expect(size("0.5")).toBeGreaterThan(size("0.1"));
    expect(size("1")).toBe(SOURCE.length);
  });

  it("--json is one object with the text, the blocks and why each line was kept", () => {
    const { out } = jeeves(["prune", "server.js", "--focus", QUESTION, "--json"]);
    const result = JSON.parse(out);
    expect(result).toMatchObject({
      status: "pruned",
      kind: "code",
      language: "javascript",
      lines: SOURCE.split("\n").length - 1,
    });
    expect(result.kept).toHaveLength(result.kept_lines);
    expect(result.blocks[0]).toMatchObject({ start_line: expect.any(Number), end_line: expect.any(Number) });
    expect(result.tokens_after).toBeLessThan(result.tokens_before);
    expect(new Set(result.kept.map((line: { why: string }) => line.why))).toContain("evidence");
  });

  it("reads stdin, and --type says what it is", () => {
    const noise = Array.from(
      { length: 400 },
      (_, index) => `2026-01-01 12:00:${index % 60} INFO request ${index} served\n`,
    ).join("");
    const input = `${noise}2026-01-01 12:09:00 ERROR database is locked\n${noise}`;
    const { code, out } = jeeves(["prune", "-", "--type", "logs", "--focus", "what went wrong?"], { input });
    expect(code).toBe(0);
    expect(out).toContain("ERROR database is locked");
    expect(out.length).toBeLessThan(input.length / 3);
  });

  it("where nothing can be stored, nothing is dropped", () => {
    const env = { JEEVES_STATE_DIR: "/proc/nowhere", TMPDIR: "/proc/nowhere" };
    const { code, out, err } = jeeves(["prune", "server.js", "--focus", QUESTION], { env });
    expect(code).toBe(0);
    expect(out).toBe(SOURCE);
    expect(err).toContain("cannot be stored");
    const asJson = jeeves(["prune", "server.js", "--focus", QUESTION, "--json"], { env });
    expect(JSON.parse(asJson.out)).toMatchObject({ prune_id: null, status: "whole", text: SOURCE, blocks: [] });
  });

  it.each([
    ["missing.txt", "does not exist"],
    [".", "is a directory"],
    ["binary", "is binary"],
    ["latin1", "is not valid UTF-8"],
  ])("%s: exit 1, and says %s", (file, words) => {
    write("binary", Buffer.from([0, 1, 2]));
    write("latin1", Buffer.from("caf\xe9", "latin1"));
    const { code, out, err } = jeeves(["prune", file, "--focus", "q"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`${file} ${words}`);
  });

  it("X-60 bytes from a pipe that are no text are passed on as they are", () => {
    for (const input of [Buffer.from("caf\xe9\nFAILED boom\n", "latin1"), Buffer.from([0, 1, 2])]) {
      const { code, out, err } = jeeves(["prune", "-", "--focus", "q"], { input, encoding: "latin1" });
      expect({ code, out }).toEqual({ code: 0, out: input.toString("latin1") });
      expect(err).toMatch(/passed on as it is: stdin is (?:binary|not valid UTF-8)/);
    }
  });

  it.each([
    [["prune", "server.js"], "--focus"],
    [["prune", "server.js", "--focus", "  "], "must not be empty"],
    [["prune", "server.js", "--focus", "q", "--keep", "2"], "from 0 to 1"],
    [["prune", "server.js", "--focus", "q", "--type", "poem"], "code, logs, docs"],
    [["recover", "prn_x", "--lines", "9-3"], "120-154"],
    [["fly"], "unknown command"],
  ])("%j: exit 2, and says what would be right", (args, words) => {
    const { code, err } = jeeves(args);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });

  it("a directory on stdin: exit 1, and says so", () => {
    const stdin = openSync(dir, "r");
    const { code, out, err } = jeeves(["prune", "-", "--focus", "q"], { stdio: [stdin, "pipe", "pipe"] });
    closeSync(stdin);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("stdin is a directory");
  });

  it("a working directory that is gone costs neither the answer nor the way back", () => {
    const inGone = (...args: string[]) => {
      const done = spawnSync("/bin/sh", ["-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", ...args], {
        cwd: dir,
        input: SOURCE,
        env: { PATH: process.env.PATH ?? "", HOME: dir, JEEVES_STATE_DIR: join(dir, "state") },
      });
      return { code: done.status, out: String(done.stdout), err: String(done.stderr) };
    };
    const pruned = inGone(process.execPath, BIN, "prune", "-", "--focus", QUESTION);
    expect(pruned).toMatchObject({ code: 0, out: expect.stringContaining("chooseListeningPort") });
    const id = /prn_[a-z0-9]{12}/.exec(pruned.err)?.[0] ?? "";
    expect(inGone(process.execPath, BIN, "recover", id)).toEqual({ code: 0, out: SOURCE, err: "" });
  });

  it("an empty file is an empty answer", () => {
    write("empty.txt", "");
    expect(jeeves(["prune", "empty.txt", "--focus", "q"])).toMatchObject({ code: 0, out: "" });
  });
});

describe("jeeves recover", () => {
  it("an unknown id is exit 1 with the next thing to try", () => {
    for (const id of ["prn_aaaaaaaaaaaa", "../../etc/passwd"]) {
      const { code, out, err } = jeeves(["recover", id]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(id);
    }
  });

  it("X-21 one text under two names, which decide how it is cut, has two ids", () => {
    const idOf = (name: string) => {
      write(name, SOURCE);
      return JSON.parse(jeeves(["prune", name, "--focus", QUESTION, "--json"]).out).prune_id;
    };
    expect(idOf("same.js")).not.toBe(idOf("same.py"));
  });

  it("brings back the last line with the end that it had", () => {
    write("open.js", SOURCE.slice(0, -1));
    const id = JSON.parse(jeeves(["prune", "open.js", "--focus", QUESTION, "--json"]).out).prune_id;
    expect(jeeves(["recover", id, "--lines", `1-${SOURCE.split("\n").length - 1}`]).out).toBe(SOURCE.slice(0, -1));
  });

  it("numbers lines on request and names the end when asked past it", () => {
    const id = JSON.parse(jeeves(["prune", "server.js", "--focus", QUESTION, "--json"]).out).prune_id;
    expect(jeeves(["recover", id, "--lines", "2", "-n"]).out).toBe("2│   const copy = { ...record, seen: 0 };\n");
    expect(jeeves(["recover", id, "--lines", "5000"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("lines"),
    });
  });
});

describe("the meter", () => {
  const metered = (name: string) => {
    const state = { JEEVES_STATE_DIR: join(dir, name), TMPDIR: dir };
    return {
      run: (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
        jeeves(args, { env: { ...state, ...env } }),
      lines: () => {
        const [month = ""] = readdirSync(join(dir, name, "meter"));
        const lines = readFileSync(join(dir, name, "meter", month), "utf8")
          .trimEnd()
          .split("\n");
        return lines.map((line) => JSON.parse(line));
      },
    };
  };
  const CUT = ["prune", "server.js", "--focus", QUESTION, "--json"];

  it.each(["CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"])(
    "X-52 has every cut and way back of an agent (%s); a way back counts for the session that was shown the cut",
    (variable) => {
      write("server.js", SOURCE);
      const { run, lines } = metered(`metered-${variable}`);
      const id = JSON.parse(run(CUT, { [variable]: "s1" }).out).prune_id;
      expect(run(["recover", id, "--lines", "1-3"], { [variable]: "s2" }).code).toBe(0);
      const about = { session: "s1", client: "jeeves", project: realpathSync(dir), prune_id: id };
      const found = lines();
      expect(found).toMatchObject([
        { kind: "cut", tool: "prune", what: "server.js", focus: QUESTION, ms: expect.any(Number), ...about },
        { kind: "recovered", tool: "recover", what: "lines 1-3", ...about },
      ]);
      for (const line of found) expect(line).not.toHaveProperty("by");
      const { cuts, recoveries, by_hand } = JSON.parse(run(["stats", "--json"]).out);
      expect([cuts, recoveries, by_hand]).toEqual([1, 1, { cuts: 0, recoveries: 0 }]);
    },
  );

  it("X-52 a person's own cuts and ways back are a person's, and count for no agent", () => {
    write("server.js", SOURCE);
    const { run, lines } = metered("by-hand");
    const ofAgent = JSON.parse(run(CUT, { CLAUDE_CODE_SESSION_ID: "s1" }).out).prune_id;
    const before = JSON.parse(run(["stats", "--json"]).out);
    const id = JSON.parse(run([...CUT, "--keep", "0.3"]).out).prune_id;
    // Of the agent's cut, too: a person who looks what was left out takes no trust from the session.
    for (const each of [id, ofAgent]) expect(run(["recover", each, "--lines", "1-3"]).code).toBe(0);
    const person = { session: "", by: "person" };
    expect(lines().slice(1)).toMatchObject([
      { kind: "cut", ...person },
      { kind: "recovered", prune_id: id, ...person },
      { kind: "recovered", prune_id: ofAgent, ...person },
    ]);
    const by_hand = { cuts: 1, recoveries: 2 };
    expect(JSON.parse(run(["stats", "--json"]).out)).toEqual({ ...before, by_hand, since: expect.any(String) });
    expect(run(["stats"]).out).toContain("by hand     1 cut, 2 recoveries, not counted\n");
    expect(run(["stats", "--by", "client"]).out).toMatch(/^jeeves +1 /m);
  });

  it("X-52 where only a person cut anything, nothing was cut for an agent yet", () => {
    const { run } = metered("only-by-hand");
    run(CUT);
    expect(run(["stats"]).out).toBe("nothing was cut yet\nby hand     1 cut, not counted\n");
  });
});

describe("what is said is true", () => {
  it("X-52 JEEVES_MODE decides only where it is a mode", () => {
    expect(jeeves(["on"], { env: { JEEVES_MODE: " OFF" } }).err).toBe("jeeves: JEEVES_MODE= OFF is set and decides\n");
    expect(jeeves(["on"], { env: { JEEVES_MODE: "of" } }).err).toBe(
      "jeeves: JEEVES_MODE=of is set and is no mode: it is ignored\n",
    );
    expect(jeeves(["on"]).err).toBe("");
  });

  it("why nothing was left out is said in words", () => {
    write("short.txt", "one\ntwo\n");
    expect(jeeves(["prune", "short.txt", "--focus", "one"]).err).toMatch(/^jeeves: all 2 lines kept: [a-z ]+\n$/);
    write("line.txt", "one\n");
    expect(jeeves(["prune", "line.txt", "--focus", "one"]).err).toMatch(/^jeeves: the only line is kept: [a-z ]+\n$/);
    write("empty.txt", "");
    expect(jeeves(["prune", "empty.txt", "--focus", "one"]).err).toBe("jeeves: the text is empty\n");
  });

  it("an id of the wrong form and an id without a stored text have different errors", () => {
    expect(jeeves(["recover", "xyz"])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^jeeves: "xyz" is no id of a stored text\n +an id is prn_ and twelve of .*\n$/),
    });
    expect(jeeves(["recover", "prn_abcdefghijkl"])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^jeeves: no stored text prn_abcdefghijkl\n +it has expired, or .*\n$/),
    });
  });

  it("hints name commands as this user starts them", () => {
    const env = { npm_lifecycle_event: "start" };
    write("server.js", SOURCE);
    const { err } = jeeves(["prune", "server.js", "--focus", QUESTION], { env });
    expect(err).toMatch(/the rest: npm start -- recover prn_\w+ --lines A-B/);
    expect(jeeves(["stats", "--shadow"], { env }).out).toContain("start with npm start -- shadow");
  });

  it.runIf(existsSync("/dev/full"))("output that cannot be written is exit 1, and said", () => {
    const full = openSync("/dev/full", "w");
    const done = jeeves(["stats"], { stdio: ["ignore", full, "pipe"] });
    closeSync(full);
    expect(done.code).toBe(1);
    expect(done.err).toContain("jeeves: the output cannot be written: ENOSPC");
  });
});

describe("jeeves demo", () => {
  it("cuts a failing test run and a file, each on one screen, and brings lines of both back exactly", () => {
    const { code, out } = jeeves(["demo"]);
    expect(code).toBe(0);
    const [run = "", file = ""] = out.split(/^(?=2\. One file)/m);
    expect(run).toContain("not ok 12080 - login sets the session cookie");
    expect(run).toContain("at: test/login.test.js:42:7");
    expect(run).toContain("and the failure is not in it.");
    for (const scene of [run, file]) {
      expect(scene).toMatch(/^[\d,]+ tokens instead of [\d,]+ \(o200k\): [\d.]+ % less to read$/m);
      expect(scene).toContain("byte for byte what was left out");
      expect(scene.split("\n").length).toBeLessThanOrEqual(60);
      const [, way = ""] = /^The way back: jeeves (.*)$/m.exec(scene) ?? [];
      expect(jeeves(way.split(" ")).code).toBe(0);
    }
    expect(file).toMatch(/jeeves look .*\n {2}jeeves setup /);
  });
});

it.runIf(process.platform === "linux").each([
  [1, "on"],
  [1, "up --port 0 --page-port 0"],
  [0, "init claude-code"],
  [0, "research port"],
  [0, "run -p scripted task"],
])(
  "X-21 a state directory in a place that refuses every name ends with %i: %s",
  (expected, words) => {
    write("script.json", JSON.stringify({ steps: [{ say: "Done." }] }));
    const { code, err } = jeeves(words.split(" "), {
      timeout: 60_000, // a hang would be one for ever
      killSignal: "SIGKILL",
      env: { HOME: join(dir, "home"), TMPDIR: dir, JEEVES_STATE_DIR: "/proc/nowhere", JEEVES_SCRIPT: "script.json" },
    });
    expect(code).toBe(expected);
    if (expected !== 0) expect(err).toContain("mkdir '/proc/nowhere'");
  },
  90_000,
);

it.runIf(process.platform === "linux")(
  "X-62 a data directory in a place that refuses every name ends init with 2",
  () => {
    const env = { HOME: join(dir, "home"), XDG_DATA_HOME: "/proc/nowhere" };
    const { code, err } = jeeves(["init", "claude-code"], { env });
    expect(code).toBe(2);
    expect(err).toMatch(/^jeeves: the launchers cannot be written: .*\/proc\/nowhere.*\n +nothing was changed\n$/);
  },
);

it("--help names every command, --version the version", () => {
  const { code, out } = jeeves(["--help"]);
  expect(code).toBe(0);
  for (const command of ["prune", "recover", "demo"]) expect(out).toContain(command);
  expect(jeeves(["--version"]).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

const HELPS = [
  ...["up", "viewer", "demo", "look", "setup", "init", "on", "shadow", "off", "stats", "trial", "doctor", "uninstall"],
  ...["wipe", "completion", "prune", "recover", "research", "run", "serve", "mcp", "token"],
  ...["claude-code", "codex", "lm-studio", "gemini", "opencode"].map((client) => `init ${client}`),
];

it("every command's help says what it does, within 80 columns", () => {
  const main = jeeves(["--help"]).out;
  const named = [...main.matchAll(/^ {2}([a-z]+)(?: \[| <| {2})/gm)].map(([, name = ""]) => name);
  expect(HELPS.filter((each) => !each.includes(" ")).sort()).toEqual(
    named.filter((name) => main.indexOf(`\n  ${name}`) < main.indexOf("\nCommands:")).sort(),
  );
  for (const name of ["", ...HELPS]) {
    const help = name === "" ? main : jeeves([...name.split(" "), "--help"]).out;
    expect(help, name).toMatch(/^Usage: jeeves [^\n]*\n\n[A-Z][^\n]/);
    expect(help.split("\n\n")[1], name).not.toMatch(/^(?:Options|Arguments):/);
    const wide = help.split("\n").filter((line) => line.length > 80);
    expect(wide, name).toEqual([]);
  }
});

it("init offers each client what it has", () => {
  const help = (client: string) => jeeves(["init", client, "--help"]).out;
  for (const flag of ["--hooks", "--both", "--project"]) {
    expect(help("gemini")).toContain(`  ${flag} `);
    expect(help("lm-studio")).not.toContain(flag);
  }
  expect(help("gemini")).not.toContain("--commands");
  expect(help("claude-code")).toContain("--commands");
  const completion = jeeves(["completion", "fish"]).out;
  expect(completion).toMatch(/_from gemini' -l hooks$/m);
  expect(completion).not.toMatch(/_from lm-studio' -l hooks$/m);
});

it("a description fills the width of the terminal: no line of it breaks where the source does", () => {
  for (const command of ["up", "look", "setup", "stats", "trial", "doctor", "token", "run"]) {
    const description = jeeves([command, "--help"]).out.split("\n\n")[1]?.split("\n") ?? [];
    const next = (index: number) => description[index + 1]?.split(" ")[0] ?? "";
    const early = description.slice(0, -1).filter((line, k) => !line.endsWith(".") && `${line} ${next(k)}`.length < 80);
    expect(early, command).toEqual([]);
  }
});

it("mcp is no argument of the server that it starts: nothing is warned of", () => {
  const { code, err } = jeeves(["mcp"], { input: "" });
  expect(code).toBe(0);
  expect(err).toContain("mcp_pruner.ready");
  expect(err).not.toContain("config_invalid");
});
