// What was put into Gemini's own directories for projects (~/.gemini/tmp/PROJECT/jeeves), so that it could be read there.
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { clientHomeOf, PRUNE_ID_PATTERN, traitsOf } from "@jeeves/base";
import { GEMINI_FOLDER } from "@jeeves/intercept";

const OWN_FILE = new RegExp(`^(?:${PRUNE_ID_PATTERN}|shown-[0-9a-f]{16})\\.txt$`);

/** Removes our files, and the folders that this empties. Returns these. */
export async function removeGeminiFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const top = join(clientHomeOf(traitsOf("gemini"), env), "tmp");
  const removed: string[] = [];
  for (const project of await readdir(top).catch(() => [])) {
    const folder = join(top, project, GEMINI_FOLDER);
    // A link may lead anywhere.
    if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true) continue;
    for (const name of await readdir(folder).catch(() => []))
      if (OWN_FILE.test(name)) await rm(join(folder, name), { force: true }).catch(() => {});
    await rmdir(folder).then(
      () => removed.push(folder),
      () => {},
    );
  }
  return removed;
}
