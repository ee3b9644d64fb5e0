// Files, commands and search inside a root directory. Redaction is an entry of its own.

export { killBackground } from "./command/process-group.ts";
export { type CommandOutcome, type RunCommandOptions, runCommand } from "./command/run-command.ts";
export { currentDir } from "./current-dir.ts";
export { currentDenyRules, faultOfGlob } from "./deny.ts";
export { findProject, isRepository } from "./project.ts";
export { type ReadTextOptions, readTextFile, type TextFile } from "./read-text-file.ts";
export { isInsideLexically, MAX_PATH_CHARS, openRoot, type Root } from "./root.ts";
export { type ClientRules, createClientRules } from "./rules/client-rules.ts";
export { compileGlob } from "./rules/glob.ts";
export { parseJsonc } from "./rules/jsonc.ts";
export { createPrivateRules, joinRules, type ReadRules, type RuleProblem, type Verdict } from "./rules/read-rules.ts";
export { refusalOfPaths } from "./rules/refusal-of-paths.ts";
export type { EngineName } from "./search/engines.ts";
export type { Match } from "./search/match.ts";
export { type SearchOutcome, type SearchTextOptions, searchText } from "./search/search-text.ts";
export { WorkspaceError, type WorkspaceErrorCode } from "./workspace-error.ts";
