// Gemini CLI as a person starts it, with the settings that its user's home holds.

import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checkRun } from "./agent.ts";
import { type CommandLineRun, runCommandLine } from "./command-line.ts";
import { startFakeGemini } from "./fake-gemini.ts";
import type { Conversation } from "./scripted-model.ts";

const require = createRequire(import.meta.url);
const BIN = join(dirname(require.resolve("@google/gemini-cli/package.json")), "bundle", "gemini.js");

export async function runGemini({ prompt, script, cwd, env, args = [] }: CommandLineRun): Promise<Conversation> {
  const model = await startFakeGemini(script);
  try {
    const dir = join(env.HOME ?? "", ".gemini");
    await mkdir(dir, { recursive: true });
    // It starts no server and runs no hook of a project in a directory that its user has not called trusted.
    await writeFile(join(dir, "trustedFolders.json"), JSON.stringify({ [cwd]: "TRUST_FOLDER" }));
    const offline = { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: model.origin, GEMINI_TELEMETRY_ENABLED: "false" };
    const words = [BIN, "-p", prompt, ...args];
    const failure = await runCommandLine(process.execPath, words, { cwd, env: { ...env, ...offline } });
    return checkRun(model, failure && `gemini ${failure}`);
  } finally {
    await model.close();
  }
}
