// Other installations of jeeves on the PATH: one of another version may be what the shell, or a launcher, starts.
import { realpath } from "node:fs/promises";
import { findPrograms } from "@jeeves/base";
import { askVersion } from "./ask-version.ts";
import { type Check, note } from "./check.ts";

/** A note for each installation whose version is not `own`. A project's own packages are left out. */
export async function checkInstallations(env: NodeJS.ProcessEnv, own: string): Promise<readonly Check[]> {
  const paths = (await findPrograms("jeeves", env)).filter((path) => !path.includes("/node_modules/.bin/"));
  const found = new Map<string, string>();
  for (const path of paths) {
    const real = await realpath(path).catch(() => path);
    if (![...found.values()].includes(real)) found.set(path, real);
  }
  const checks = [...found.keys()].map(async (path, at): Promise<Check | undefined> => {
    const version = await askVersion(path, env);
    if (version === own) return undefined;
    const which = at === 0 ? ", the one that your shell starts" : "";
    const words = version === undefined ? "does not answer" : `is version ${version}, this is ${own}`;
    return note(
      "other installation",
      `${path}${which}, ${words}`,
      "npm uninstall --global jeeves there, or take it off PATH",
    );
  });
  return (await Promise.all(checks)).filter((check) => check !== undefined);
}
