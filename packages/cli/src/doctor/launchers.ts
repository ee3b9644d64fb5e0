// Whether what client settings name is there, and starts an installation that is there (X-62).
import { existsSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readSettings } from "../init/settings-file.ts";
import { findOwnFiles } from "../init/what-to-set-up.ts";
import { hasStub } from "../launchers/bare-stub.ts";
import { type DataLayout, dataLayoutOf } from "../launchers/data-layout.ts";
import { staleLaunchers, writeLaunchers } from "../launchers/write-launchers.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { lookingSetUp, settingsPlaces } from "../uninstall/settings-places.ts";
import { bad, type Check, good, note, withFix } from "./check.ts";

/** A quoted path of ours: a launcher, or a file inside an installation, as earlier versions wrote it. */
const OWN_PATH =
  /"(?:[^"\\]|\\.)*[\\/](?:jeeves-exec|mcp-pruner[\\/]dist[\\/]index\.js|mcp-research\.js|jeeves[\\/]bin[\\/]mcp-\w+)"/g;

/** A check of the launchers, where init has run, and one for each settings file with a path that is or may be gone. */
export async function checkLaunchers(env: NodeJS.ProcessEnv, cwd: string): Promise<readonly Check[]> {
  const data = dataLayoutOf(env);
  // The directory alone may hold notes of stores; and after an uninstall the stub may stay.
  const isInstalled = existsSync(data.bin) && !(await hasStub(env));
  const checks = isInstalled ? [fixable(await checkInstallation(data, env), env)] : [];
  for (const file of (await settingsPlaces(lookingSetUp(env, cwd), [])).all) {
    const text = (await readSettings(file).catch(() => undefined)) ?? "";
    const paths = [...new Set(text.match(OWN_PATH) ?? [])].map(unquoted);
    const gone = paths.find((path) => !existsSync(path));
    const inside = paths.find((path) => dirname(path) !== data.bin);
    const mend = `${ownCommand("init CLIENT", env)} for it again, or ${ownCommand("uninstall", env)}`;
    if (gone !== undefined) checks.push(bad("settings", `${file} names ${gone}, which is gone`, mend));
    else if (inside !== undefined)
      checks.push(note("settings", `${file} names ${inside}: it breaks when that is moved or deleted`, mend));
  }
  return checks;
}

/** Launchers that are not this installation's are written again, as every init does. */
function fixable(check: Check, env: NodeJS.ProcessEnv): Check {
  if (check.state === "good") return check;
  return withFix(check, async () => {
    const { packages } = findOwnFiles();
    const { data } = await writeLaunchers(packages, env);
    return `${data.bin} now starts ${packages}`;
  });
}

async function checkInstallation(data: DataLayout, env: NodeJS.ProcessEnv): Promise<Check> {
  const again = `${ownCommand("init CLIENT", env)} again, or ${ownCommand("uninstall", env)}`;
  const found = await readlink(data.installation).catch(() => undefined);
  if (found === undefined) return bad("launchers", `${data.installation} is missing: nothing is cut`, again);
  if (!existsSync(join(found, "mcp-pruner", "dist", "index.js")))
    return bad("launchers", `they start ${found}, which is gone or not built: nothing is cut`, again);
  if (!existsSync(data.node))
    return note("launchers", "the Node of the last init is gone; one on PATH is used", `${again}`);
  const { packages } = findOwnFiles();
  if (found !== packages)
    return note("launchers", `they start ${found}, not ${packages}`, ownCommand("init CLIENT", env));
  const stale = await staleLaunchers(packages, env);
  return stale.length === 0
    ? good("launchers", data.bin)
    : note("launchers", `of another version: ${stale.join(", ")}`, again);
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
