// Codex as a person sits before it: its full-screen client on a real terminal (util-linux' `script` makes one), what it
// draws as text, and keys to press.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";

const bin = createRequire(import.meta.url).resolve("@openai/codex/bin/codex.js");
const MAX_SCREEN_CHARS = 400_000;
const WAIT_MS = 60_000;
const [ESC, BEL] = [String.fromCharCode(27), String.fromCharCode(7)];
const TOLD = new RegExp(
  [
    `${ESC}\\[[0-9;?<>=]*[ -/]*[@-~]`,
    `${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`,
    `${ESC}[()][0-9A-B]`,
    `${ESC}.`,
  ].join("|"),
  "g",
);

export interface CodexTerminal {
  /** Resolves with everything drawn so far once it holds `what`, without spaces: a screen is drawn in pieces. */
  waitFor(what: RegExp): Promise<string>;
  press(keys: string): void;
  close(): Promise<void>;
}

export function openCodex(
  prompt: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): CodexTerminal {
  const words = [process.execPath, bin, "--dangerously-bypass-hook-trust", prompt].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qfec", `stty cols 200 rows 60; exec ${words}`, "/dev/null"], {
    cwd: options.cwd,
    env: { ...options.env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let drawn = "";
  child.stdin.on("error", () => {});
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    // A terminal answers where its cursor is; the client waits for it.
    if (text.includes(`${ESC}[6n`)) child.stdin.write(`${ESC}[1;1R`);
    drawn = (drawn + text).slice(-MAX_SCREEN_CHARS);
  });
  return {
    async waitFor(what) {
      for (const deadline = Date.now() + WAIT_MS; ; ) {
        const screen = toText(drawn);
        if (what.test(screen)) return screen;
        if (Date.now() > deadline) throw new Error(`waited too long for ${what}:\n${screen.slice(-4_000)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    press: (keys) => void child.stdin.write(keys),
    async close() {
      if (child.pid !== undefined) killGroup(child.pid);
      await closed;
    },
  };
}

/** The drawn text without what a terminal does not show: colours, places of the cursor, titles. */
function toText(drawn: string): string {
  return drawn.replace(TOLD, "").replace(/\s+/g, "");
}

function killGroup(pid: number): void {
  for (const signal of ["SIGHUP", "SIGKILL"] as const) {
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
