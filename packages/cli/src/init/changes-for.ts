// What `jeeves init` does for each client: which files are changed and how, and what people should know afterwards.
import { type ClientId, traitsOf } from "@jeeves/base";
import { claudeCodeChanges } from "./claude-code.ts";
import { codexChanges } from "./codex.ts";
import { geminiChanges } from "./gemini.ts";
import { lmStudioChanges } from "./lm-studio.ts";
import { opencodeChanges } from "./opencode.ts";
import type { SettingsChange } from "./settings-file.ts";
import { hasOtherPrefix } from "./shell-prefix.ts";
import type { SetUp } from "./what-to-set-up.ts";

interface ClientSetUp {
  readonly changes: (setUp: SetUp) => SettingsChange[];
  /** Its settings in a project name jeeves-exec, and copies of the project go on doing so. */
  readonly namesExecInProject?: boolean;
  /** What brings lines back where hooks alone are set up; default: our tool. */
  readonly wayBack?: string;
  /** What its user has to do before the hooks work. */
  readonly trust?: string;
  /** What its user does next. */
  readonly next: string;
}

/** What is done for each client. */
export const SET_UPS: Readonly<Record<ClientId, ClientSetUp>> = {
  "claude-code": {
    changes: claudeCodeChanges,
    namesExecInProject: true,
    wayBack: "its own Read",
    next: "restart Claude Code",
  },
  codex: {
    changes: codexChanges,
    trust: "Codex asks once whether it may trust the hooks: say yes in its /hooks.",
    next: "restart Codex and trust the hooks with /hooks: until then they do nothing",
  },
  "lm-studio": { changes: lmStudioChanges, next: "switch the jeeves servers on in a chat of LM Studio" },
  gemini: { changes: geminiChanges, wayBack: "its own read_file", next: "restart Gemini CLI" },
  opencode: { changes: opencodeChanges, wayBack: "its own read", next: "restart opencode" },
};

/** The settings files of a client, and how they change. */
export async function changesFor(client: ClientId, setUp: SetUp): Promise<SettingsChange[]> {
  const isTaken = await hasOtherPrefix(traitsOf(client), setUp);
  return SET_UPS[client].changes({ ...setUp, ...(isTaken ? { isPrefixTaken: true } : {}) });
}
