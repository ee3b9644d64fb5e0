// Codex: a command is rewritten to run under jeeves-exec, because hooks cannot replace its output. For results of other MCP
// servers a hook's text is shown instead.
import { readMode } from "@jeeves/cut";
import type { BeforeDeps, ClientAdapter } from "../hook/client-adapter.ts";
import type { HookAnswer } from "../hook/hook-answer.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";
import { judgeStoredCommand } from "../stored/stored-read.ts";
import { rewriteCodexCommand } from "./command.ts";
import { readCodexMcp } from "./mcp.ts";
import { isRuled } from "./rules.ts";

/** What differs in Codex. */
export const codexAdapter: ClientAdapter = {
  before: (event, deps) => beforeCommand(event, deps),
  read: readCodexMcp,
  // Commands run under jeeves-exec, which finds reads of stored texts itself.
  wayBack: () => undefined,
};

async function beforeCommand(event: ToolEvent, { env, storedReads }: BeforeDeps): Promise<HookAnswer | undefined> {
  const command = textOf(event.input.command) ?? "";
  const refused = event.tool === "Bash" ? await judgeStoredCommand(command, await storedReads()) : undefined;
  if (refused !== undefined) return refused;
  const input = rewriteCodexCommand(event, env);
  if (input === undefined || (await readMode(env)) === "off") return undefined;
  const isLeftAlone = await isRuled(command, { rulesDir: event.rulesDir, cwd: event.cwd });
  return isLeftAlone ? undefined : { kind: "rewrite", input };
}
