// Whether another tool stands in the place of our launcher of commands: a client takes one program, and ours gives way.
import { CLIENTS, isRecord, projectSettingsOf, userSettingsOf } from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import { readSettings } from "../init/settings-file.ts";
import { type Check, note } from "./check.ts";

/** A note for each place that names the program of another tool while our hooks are set up. */
export async function checkShellPrefix(env: NodeJS.ProcessEnv, cwd: string): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const client of CLIENTS) {
    const { shellPrefix } = client;
    if (shellPrefix === undefined) continue;
    const files = [...userSettingsOf(client, env), ...projectSettingsOf(client, cwd)];
    const texts = await Promise.all(files.map(async (path) => [path, await textAt(path)] as const));
    if (!texts.some(([, text]) => text.includes("jeeves_hook"))) continue;
    const places = [
      ["the environment", env[shellPrefix]],
      ...texts.map(([path, text]) => [path, prefixIn(text, shellPrefix)]),
    ];
    for (const [place, program] of places) {
      if (!program || program.endsWith("/jeeves-exec")) continue;
      const found = `${place} names ${program} as ${shellPrefix}: commands of ${client.title} are not cut`;
      checks.push(
        note("shell prefix", found, `take it out, then jeeves init ${client.id}; Read and Grep are cut all the same`),
      );
    }
  }
  return checks;
}

async function textAt(path: string): Promise<string> {
  return (await readSettings(path).catch(() => undefined)) ?? "";
}

function prefixIn(text: string, name: string): string | undefined {
  const settings = text === "" ? undefined : parseJsonc(text);
  const value = isRecord(settings) && isRecord(settings.env) ? settings.env[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
