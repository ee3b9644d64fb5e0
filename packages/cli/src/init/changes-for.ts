// Which files of a client are changed, and how.
import { claudeCodeChanges } from "./claude-code.ts";
import type { ClientName } from "./clients.ts";
import { codexChanges } from "./codex.ts";
import { lmStudioChanges } from "./lm-studio.ts";
import { geminiChanges, opencodeChanges } from "./other-clients.ts";
import type { SettingsChange } from "./settings-file.ts";
import type { SetUp } from "./what-to-set-up.ts";

export async function changesFor(client: ClientName, setUp: SetUp): Promise<SettingsChange[]> {
  if (client === "claude-code") return claudeCodeChanges(setUp);
  if (client === "codex") return codexChanges(setUp);
  if (client === "lm-studio") return lmStudioChanges(setUp);
  return client === "gemini" ? geminiChanges(setUp) : opencodeChanges(setUp);
}
