// What stays of `bin/jeeves-exec` where settings that cannot be found may still name it: a moved or copied project has
// the shell prefix of Claude Code in it, and without the file every command there would fail with exit code 127. The
// stub needs nothing else of ours and runs the command as jeeves-exec does when it leaves one alone.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { CLIENTS } from "@jeeves/base";
import { writeFileAtomic } from "@jeeves/state";
import { type DataLayout, dataLayoutOf } from "./data-layout.ts";

const PREFIXES = CLIENTS.flatMap(({ shellPrefix }) => shellPrefix ?? []).join(" or ");
/** How the stub of every version starts. */
const HEAD = "#!/bin/sh\n# Jeeves was uninstalled.";
const STUB = `${HEAD} Settings of a moved or copied project may still name this file as ${PREFIXES}: it
# runs their commands unchanged. Delete it when no settings name it any more.
while [ $# -gt 1 ]; do
  case $1 in
    --client=* | --session=* | --transcript=* | --mode=* | --state-dir=*) shift ;;
    *) break ;;
  esac
done
[ $# -eq 1 ] || { echo 'usage: jeeves-exec COMMAND' >&2; exit 2; }
case \${SHELL##*/} in
  bash | zsh) jx_shell=$SHELL ;;
  *) jx_shell=/bin/bash ;;
esac
[ -x "$jx_shell" ] || jx_shell=/bin/bash
[ -x "$jx_shell" ] || jx_shell=/bin/sh
exec "$jx_shell" -c "$1"
`;

/** Puts the stub into the place of `bin/jeeves-exec`, where there is one. Returns whether a file stays there. */
export async function leaveStub({ execPath }: DataLayout): Promise<boolean> {
  if (!existsSync(execPath)) return false;
  // On a full disk jeeves-exec itself stays: alone, it runs every command bare.
  await writeFileAtomic(execPath, STUB, { mode: 0o755 }).catch(() => {});
  return true;
}

/** Whether the file that settings name is the stub. */
export async function hasStub(env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await readFile(dataLayoutOf(env).execPath, "utf8").catch(() => "")).startsWith(HEAD);
}

/** Whether the stub is all that is left. */
export async function isOnlyStub(env: NodeJS.ProcessEnv): Promise<boolean> {
  const { dir, bin } = dataLayoutOf(env);
  const names = await Promise.all([dir, bin].map((path) => readdir(path).catch(() => [])));
  return names.every((found) => found.length === 1) && (await hasStub(env));
}

/** One line for the user. */
export function stubStays({ execPath }: DataLayout): string {
  return `${execPath} stays, and only runs commands unchanged: a copy of a project may still name it. Delete it, or use jeeves uninstall --force, when there is none`;
}

/** The same for one settings file that is gone. */
export function stubStaysFor(path: string, { execPath }: DataLayout): string {
  return `${path} was not found. If its project was moved, the settings there still name ${execPath}, which stays and only runs commands unchanged: take ${PREFIXES} out of them, then delete that file or use jeeves uninstall --force`;
}
