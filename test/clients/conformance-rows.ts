// How each client is set up, asked and read in the one suite of conformance.test.ts. Nothing of what is expected is here.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rgPath } from "@vscode/ripgrep";
import { createClientEnv } from "./agent.ts";
import { runClaudeCode, VERSIONS } from "./claude-code.ts";
import { codexCommand, codexTextServer } from "./codex-command-line.ts";
import type { HookedClient } from "./conformance-suite.ts";
import { runGemini } from "./gemini-cli.ts";
import type { InterceptProject } from "./intercept-project.ts";
import { runOpencode } from "./opencode.ts";

const TEXT_SERVER = fileURLToPath(new URL("text-server.mjs", import.meta.url));

/** A client that `jeeves init` connects, by this word. */
interface InitClient extends HookedClient {
  readonly word: string;
}

function byInit(word: string): Pick<InitClient, "word" | "connect" | "disconnect"> {
  return {
    word,
    connect: (project, env) => void project.jeeves(["init", word], env),
    disconnect: (project, env) => void project.jeeves(["init", word, "--remove"], env),
  };
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

/** Clients without a ripgrep of their own look for one on PATH. */
async function withRipgrep(project: InterceptProject, env: Record<string, string>): Promise<Record<string, string>> {
  const bin = join(project.dir, "bin");
  await mkdir(bin);
  await symlink(rgPath, join(bin, "rg"));
  return { ...env, PATH: `${bin}:${env.PATH}` };
}

const withoutReminders = (shown: string) =>
  shown.replace(/^<system-reminder>.*<\/system-reminder>\n+/, "").replace(/\n<system-reminder>[\s\S]*$/, "");

const claude = VERSIONS.map((version): InitClient => {
  return {
    name: `Claude Code ${version.version}`,
    ...byInit("claude-code"),
    async prepare({ home }, textFile) {
      const dir = join(home, ".claude");
      const allow = ["Bash(npm test)", "Bash(npm run lint*)", "Read", "Edit", "Grep", "mcp__text"];
      await writeJson(join(dir, "settings.json"), { permissions: { allow, deny: ["Read(./secret.txt)"] } });
      const text = { type: "stdio", command: process.execPath, args: [TEXT_SERVER], env: { TEXT_FILE: textFile } };
      await writeJson(join(dir, ".claude.json"), { mcpServers: { text } });
      return { ...(await createClientEnv(home)), CLAUDE_CONFIG_DIR: dir };
    },
    run: async ({ env, ...run }) =>
      (await runClaudeCode(version, { ...run, home: env.HOME ?? "", env, args: ["--allowedTools", "Grep,Glob"] })).seen,
    read: (path) => ({ call: { tool: "Read" }, with: { file_path: path } }),
    shell: (command) => ({ call: { tool: "Bash" }, with: { command } }),
    search: (pattern, dir) => ({
      call: { tool: "Grep" },
      with: { pattern, path: dir, output_mode: "content", "-n": true },
    }),
    fetchText: () => ({ call: { server: "text", tool: "fetch" }, with: {} }),
    edit: (path, before, after) => ({
      call: { tool: "Edit" },
      with: { file_path: path, old_string: before, new_string: after },
    }),
    recover: (lines) => ({
      call: { tool: "Read" },
      with: (seen) => {
        const { file, from, to } = lines(seen);
        return { file_path: file, offset: from, limit: to - from + 1 };
      },
    }),
    plain: (shown) =>
      withoutReminders(shown)
        .replace(/^Exit code \d+\n/, "")
        .split("\n")
        .map((line) => line.replace(/^\s*\d+\t/, ""))
        .join("\n"),
    reads: "numbered",
    maxMatches: 168,
  };
});

const codex: InitClient = {
  name: "Codex",
  ...byInit("codex"),
  async prepare(project, textFile) {
    const home = join(project.home, ".codex");
    await mkdir(join(home, "rules"), { recursive: true });
    await writeFile(join(home, "config.toml"), codexTextServer(textFile));
    const rule = 'prefix_rule(pattern=["tail", "secret.txt"], decision="forbidden")\n';
    await writeFile(join(home, "rules", "default.rules"), rule);
    return withRipgrep(project, { ...(await createClientEnv(project.home)), CODEX_HOME: home });
  },
  run: (run) => codexCommand({ ...run, mode: "direct" }),
  // It reads files through its shell. A command that a rule may speak of is left alone: hence two words for it.
  read: (path) => codex.shell(path.endsWith("secret.txt") ? "tail secret.txt" : `cat ${path}`),
  shell: (cmd) => ({ call: { tool: "exec_command" }, with: { cmd } }),
  search: (pattern, dir) => codex.shell(`rg -n ${pattern} ${dir}`),
  fetchText: () => ({ call: { server: "text", tool: "fetch" }, with: {} }),
  edit: (path, before, after) => {
    const change = [`*** Update File: ${path}`, "@@", `-${before}`, ...after.split("\n").map((line) => `+${line}`)];
    const patch = ["*** Begin Patch", ...change, "*** End Patch"].join("\n");
    return codex.shell(`apply_patch <<'EOF'\n${patch}\nEOF`);
  },
  recover: (lines) => ({
    call: { server: "jeeves", tool: "recover_text" },
    with: (seen) => {
      const { file, from, to } = lines(seen);
      return { prune_id: file, ranges: [{ start_line: from, end_line: to }] };
    },
  }),
  plain: (shown) => shown.split("Output:\n").slice(1).join("Output:\n") || shown,
  reads: "plain",
  maxMatches: 168,
};

const gemini: InitClient = {
  name: "Gemini CLI",
  ...byInit("gemini"),
  async prepare(project, textFile) {
    const text = { command: process.execPath, args: [TEXT_SERVER], env: { TEXT_FILE: textFile }, trust: true };
    await writeJson(join(project.home, ".gemini", "settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" } },
      // Without a person to ask, what needs a yes needs it beforehand. read_file is not among them, and no tool of ours.
      tools: { allowed: ["run_shell_command", "replace"] },
      mcpServers: { text },
    });
    await writeFile(join(project.root, ".geminiignore"), "secret.txt\n");
    return createClientEnv(project.home);
  },
  run: (run) => runGemini({ ...run, args: ["--approval-mode", "default"] }),
  read: (path) => ({ call: { tool: "read_file" }, with: { file_path: path } }),
  shell: (command) => ({ call: { tool: "run_shell_command" }, with: { command, description: "a command" } }),
  // Paths are relative to the directory that it searches.
  search: (pattern) => ({ call: { tool: "grep_search" }, with: { pattern } }),
  fetchText: () => ({ call: { server: "text", tool: "fetch" }, with: {} }),
  edit: (path, before, after) => ({
    call: { tool: "replace" },
    with: { file_path: path, old_string: before, new_string: after, instruction: "an edit" },
  }),
  recover: (lines) => ({
    call: { tool: "read_file" },
    with: (seen) => {
      const { file, from, to } = lines(seen);
      return { file_path: file, start_line: from, end_line: to };
    },
  }),
  plain: (shown) =>
    shown
      .replace(/^\s*IMPORTANT: The file content has been truncated[\s\S]*?--- FILE CONTENT \(truncated\) ---\n/, "")
      .replace(/^<untrusted_context>\n/, "")
      .replace(/\n<\/untrusted_context>$/, "")
      .replace(/^Output: /, "")
      .replace(/(?:\n(?:Exit Code|Process Group PGID): \d+)+$/, ""),
  reads: "plain",
  maxMatches: 100,
};

const opencode: InitClient = {
  name: "opencode",
  ...byInit("opencode"),
  async prepare(project, textFile) {
    const text = { type: "local", command: [process.execPath, TEXT_SERVER], environment: { TEXT_FILE: textFile } };
    await writeJson(join(project.home, ".config", "opencode", "opencode.json"), {
      permission: { read: { "*secret.txt": "deny" } },
      mcp: { text },
    });
    return withRipgrep(project, await createClientEnv(project.home));
  },
  run: runOpencode,
  read: (path) => ({ call: { tool: "read" }, with: { filePath: path } }),
  shell: (command) => ({ call: { tool: "bash" }, with: { command, description: "a command" } }),
  search: (pattern, dir) => ({ call: { tool: "grep" }, with: { pattern, path: dir } }),
  fetchText: () => ({ call: { tool: "text_fetch" }, with: {} }),
  edit: (path, before, after) => ({
    call: { tool: "edit" },
    with: { filePath: path, oldString: before, newString: after },
  }),
  recover: (lines) => ({
    call: { tool: "read" },
    with: (seen) => {
      const { file, from, to } = lines(seen);
      return { filePath: file, offset: from, limit: to - from + 1 };
    },
  }),
  plain: (shown) =>
    shown
      .replace(/^<path>[\s\S]*?<content>\n/, "")
      .replace(/\n*\((?:End of file|Showing|Output capped)[^\n]*\)\n<\/content>[\s\S]*$/, "")
      .replace(/^(\d+): /gm, "$1│ "),
  reads: "numbered",
  maxMatches: 100,
};

export const CLIENTS: readonly InitClient[] = [...claude, codex, gemini, opencode];
