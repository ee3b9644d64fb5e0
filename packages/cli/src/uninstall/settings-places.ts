// Every settings file that may hold something of ours: those that init noted, and every place where an init without a
// note can have written: the user's own settings, this project's, and those of the projects that the clients remember.

import { join } from "node:path";
import { CLIENTS, homeOf, isRecord } from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import { changesFor } from "../init/changes-for.ts";
import { notedPaths } from "../init/files/notes.ts";
import { readSettings } from "../init/settings-file.ts";
import { keysOfToml } from "../init/text/toml-keys.ts";
import type { SetUp } from "../init/what-to-set-up.ts";
import { dataLayoutOf } from "../launchers/data-layout.ts";

interface SettingsPlaces {
  /** Files that an init changed and that were not restored since. */
  readonly noted: readonly string[];
  /** Those, and all the others to look at. */
  readonly all: readonly string[];
}

/** For looking only: nothing is written with it. */
export function lookingSetUp(env: NodeJS.ProcessEnv, cwd: string): SetUp {
  const { serverPath, researchPath, execPath } = dataLayoutOf(env);
  const asked = { scope: "user", parts: "both", shadow: false, roots: ["/"], warn: () => {} } as const;
  return { ...asked, env, cwd, home: homeOf(env), serverPath, researchPath, execPath };
}

/**
 * The files to look at: of this user, this directory and the projects that clients remember. `stateDirs`: where earlier
 * versions kept their notes.
 */
export async function settingsPlaces(setUp: SetUp, stateDirs: readonly string[]): Promise<SettingsPlaces> {
  const noted = await notedPaths(setUp.env, stateDirs);
  const user = await pathsOf({ ...setUp, scope: "user" });
  const paths = [...noted, ...user];
  for (const cwd of new Set([setUp.cwd, ...(await rememberedProjects(user))])) {
    paths.push(...(await pathsOf({ ...setUp, scope: "project", cwd })));
    // Nothing of ours is written there, but people move entries to where their team shares them.
    paths.push(join(cwd, ".claude", "settings.json"), join(cwd, "opencode.jsonc"));
  }
  return { noted, all: [...new Set(paths)] };
}

async function pathsOf(setUp: SetUp): Promise<string[]> {
  const changes = await Promise.all(CLIENTS.map(({ id }) => changesFor(id, setUp)));
  return changes.flat().map(({ path }) => path);
}

/** Claude Code and Codex keep a list of the directories that they were started in. */
async function rememberedProjects(userFiles: readonly string[]): Promise<string[]> {
  const projects: string[] = [];
  for (const path of userFiles) {
    const text = await readSettings(path).catch(() => undefined);
    if (text === undefined) continue;
    if (path.endsWith(".claude.json")) {
      const settings = parseJsonc(text);
      if (isRecord(settings) && isRecord(settings.projects)) projects.push(...Object.keys(settings.projects));
    } else if (path.endsWith("config.toml")) projects.push(...codexProjects(path, text));
  }
  return projects.filter((dir) => dir.startsWith("/"));
}

function codexProjects(path: string, text: string): string[] {
  try {
    return keysOfToml(path, text).flatMap(({ names: [first, second] }) =>
      first === "projects" && second !== undefined ? [second] : [],
    );
  } catch {
    return []; // a broken file is reported where it is to be changed
  }
}
