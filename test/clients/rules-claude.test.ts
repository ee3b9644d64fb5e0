// X-61 in the real Claude Code: what its own Read is refused by the user's rules, our read and grep refuse too, wherever
// the rule stands, whichever way we were set up, and also when the rule was written while the session ran.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClaudeCodeOutcome, claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import { createInterceptProject, type InterceptProject } from "./intercept-project.ts";
import type { Turn } from "./scripted-model.ts";

const SCOPES = ["user", "project"] as const;
const RUNS = VERSIONS.flatMap((version) => SCOPES.map((scope) => ({ ...version, scope })));
const PLACES = ["user", "project", "local"] as const;
const WHEN = ["before", "after", "during"] as const;
const FILES = WHEN.flatMap((when) => PLACES.map((place) => `${place}-${when}.txt`));
/** What the client makes of a pattern: its own Read must agree with ours. */
const PATTERNS = {
  "Read(./CASE.txt)": "case.txt",
  "Read(*.[pk]em)": "sub/server.kem",
  "Read(vault/**)": "sub/vault/a.txt",
  "Read(/from-the-project.txt)": "from-the-project.txt",
};

describe.each(RUNS)("Claude Code $version, jeeves init --$scope", (run) => {
  let project: InterceptProject;
  let outcome: ClaudeCodeOutcome;
  let script: { readonly name: string; readonly turn: Turn }[];

  /** Adds one rule per place, beside what stands there. */
  function addRules(when: (typeof WHEN)[number]): void {
    const files = {
      user: join(project.home, ".claude/settings.json"),
      project: join(project.root, ".claude/settings.json"),
      local: join(project.root, ".claude/settings.local.json"),
    };
    for (const place of PLACES) {
      mkdirSync(dirname(files[place]), { recursive: true });
      const settings = JSON.parse(readIfThere(files[place]) ?? "{}");
      settings.permissions = { ...settings.permissions };
      const more = place === "project" && when === "before" ? Object.keys(PATTERNS) : [];
      settings.permissions.deny = [...(settings.permissions.deny ?? []), `Read(./${place}-${when}.txt)`, ...more];
      writeFileSync(files[place], JSON.stringify(settings));
    }
  }

  beforeAll(async () => {
    project = await createInterceptProject();
    execFileSync("git", ["init", "--quiet"], { cwd: project.root });
    mkdirSync(join(project.root, "sub/vault"), { recursive: true });
    for (const file of [...FILES, ...Object.values(PATTERNS), "open.txt"])
      writeFileSync(join(project.root, file), `sesame of ${file}\n`);
    mkdirSync(join(project.home, ".claude"), { recursive: true });
    const projects = { [project.root]: { hasTrustDialogAccepted: true } };
    writeFileSync(join(project.home, ".claude", ".claude.json"), JSON.stringify({ projects }));
    const env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    addRules("before");
    project.jeeves(["init", "claude-code", "--both", `--${run.scope}`], env);
    addRules("after");
    const search: Turn[] =
      run.version === "2.1.325"
        ? [{ call: { tool: "ToolSearch" }, with: { query: "select:mcp__jeeves__read,mcp__jeeves__grep" } }]
        : [];
    const native = (file: string): Turn => ({ call: { tool: "Read" }, with: { file_path: join(project.root, file) } });
    const ours = (file: string): Turn => ({ call: { server: "jeeves", tool: "read" }, with: { file_path: file } });
    const settled = [...FILES.filter((file) => !file.includes("during")), ...Object.values(PATTERNS)];
    const late = FILES.filter((file) => file.includes("during"));
    const grep: Turn = {
      call: { server: "jeeves", tool: "grep" },
      with: () => {
        addRules("during");
        return { pattern: "sesame" };
      },
    };
    script = [
      ...search.map((turn) => ({ name: "search", turn })),
      ...settled.map((file) => ({ name: `Read ${file}`, turn: native(file) })),
      ...["open.txt", ...settled].map((file) => ({ name: `read ${file}`, turn: ours(file) })),
      { name: "grep", turn: grep },
      ...late.map((file) => ({ name: `read ${file}`, turn: ours(file) })),
    ];
    outcome = await runClaudeCode(run, {
      prompt: "Read the files.",
      cwd: project.root,
      home: project.home,
      env,
      script: [...script.map(({ turn }) => turn), { say: "Done." }],
    });
  });
  afterAll(() => project?.remove());

  const shown = (name: string) => {
    const index = script.findIndex((step) => step.name === name);
    return outcome.seen.outputs.find(({ callId }) => callId === `call_${index + 1}`)?.parts.join("\n") ?? "";
  };

  it.each([...FILES, ...Object.values(PATTERNS)])(
    "X-61 %s: neither the client's Read nor ours shows it, nor does grep",
    (file) => {
      // The client takes a rule up some time after it was written; ours holds with the next call.
      if (!file.includes("during")) expect(shown(`Read ${file}`)).toMatch(/denied|permission/i);
      expect(shown(`read ${file}`)).toMatch(/Read\(.*\) in .*settings/);
      for (const output of outcome.seen.outputs) expect(output.parts.join("\n")).not.toContain(`sesame of ${file}`);
    },
  );

  it("X-61 what no rule names is read", () => {
    expect(shown("read open.txt")).toContain("sesame of open.txt");
    expect(shown("grep")).toContain("open.txt:1:1:sesame of open.txt");
  });
});

const [newest] = VERSIONS;
describe.runIf(newest !== undefined && canMount())("Claude Code with an administrator's settings", () => {
  let project: InterceptProject;
  beforeAll(async () => {
    project = await createInterceptProject();
  });
  afterAll(() => project?.remove());

  it("X-61 a managed rule is refused by the client's Read and by ours", async () => {
    if (newest === undefined) throw new Error("no version");
    const etc = join(project.dir, "etc");
    for (const name of ["passwd", "group", "hosts", "nsswitch.conf"]) {
      const content = readIfThere(join("/etc", name));
      if (content !== undefined) put(join(etc, name), content);
    }
    const deny = { permissions: { deny: ["Read(./managed.txt)"] } };
    put(join(etc, "claude-code/managed-settings.json"), JSON.stringify(deny));
    const more = { permissions: { deny: ["Read(./drop-in.txt)"] } };
    put(join(etc, "claude-code/managed-settings.d/10.json"), JSON.stringify(more));
    for (const name of ["managed", "drop-in"]) put(join(project.root, `${name}.txt`), "sesame\n");
    const env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    project.jeeves(["init", "claude-code", "--both"], env);
    const bin = join(project.dir, "claude-with-etc");
    put(bin, `#!/bin/sh\nexec unshare -rm sh -c 'mount --bind "$0" /etc && exec "$@"' '${etc}' '${newest.bin}' "$@"\n`);
    chmodSync(bin, 0o755);
    const files = ["managed.txt", "drop-in.txt"];
    const { seen } = await runClaudeCode(
      { ...newest, bin },
      {
        prompt: "Read the files.",
        cwd: project.root,
        home: project.home,
        env,
        script: [
          { call: { tool: "ToolSearch" }, with: { query: "select:mcp__jeeves__read" } },
          ...files.map((file) => ({ call: { tool: "Read" }, with: { file_path: join(project.root, file) } })),
          ...files.map((file) => ({ call: { server: "jeeves", tool: "read" }, with: { file_path: file } })),
          { say: "Done." },
        ],
      },
    );
    const texts = seen.outputs.map(({ parts }) => parts.join("\n"));
    expect(texts.slice(1, 3)).toEqual([expect.stringMatching(/denied/i), expect.stringMatching(/denied/i)]);
    expect(texts.slice(3)).toEqual([
      expect.stringContaining("Read(./managed.txt) in /etc/claude-code/managed-settings.json"),
      expect.stringContaining("Read(./drop-in.txt) in /etc/claude-code/managed-settings.d/10.json"),
    ]);
  });
});

/** Whether a test may put a directory in the place of /etc, for itself alone. */
function canMount(): boolean {
  return spawnSync("unshare", ["-rm", "true"]).status === 0;
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
