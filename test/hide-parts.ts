// JEEVES_TEST_HIDE (`npm run test:portable`) hides what only some systems have: packages/base/src/system/optional-parts.ts.
// Tests give the programs that they start an environment of its own; here each of them gets the variable as well.
import childProcess, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const NAME = "JEEVES_TEST_HIDE";
const hidden = process.env[NAME];
if (hidden !== undefined && hidden !== "") {
  hideInAsyncChildren(`${NAME}=${hidden}`);
  for (const name of ["spawnSync", "execFileSync"] as const) hideInSyncChildren(name, hidden);
  syncBuiltinESMExports();
}

/** Behind spawn, exec, execFile and fork there is one method, which gets the environment as a list. */
function hideInAsyncChildren(entry: string): void {
  const prototype = ChildProcess.prototype as unknown as { spawn(options: { envPairs: string[] }): unknown };
  const { spawn } = prototype;
  prototype.spawn = function withHidden(options) {
    return spawn.call(this, { ...options, envPairs: [...options.envPairs, entry] });
  };
}

function hideInSyncChildren(name: "spawnSync" | "execFileSync", value: string): void {
  const original = childProcess[name] as (...words: unknown[]) => unknown;
  const withHidden = (...words: unknown[]) => original(...words.map((word) => withVariable(word, value)));
  Object.assign(childProcess, { [name]: withHidden });
}

function withVariable(word: unknown, value: string): unknown {
  if (typeof word !== "object" || word === null || !("env" in word) || !word.env) return word;
  return { ...word, env: { ...word.env, [NAME]: value } };
}
