// Which program a client puts in front of its commands. It takes one: where another tool has the place, ours gives way, and
// commands are not cut.
import { type ClientTraits, isRecord, projectSettingsOf, userSettingsOf } from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import { readSettings } from "./settings-file.ts";

/** Who has the place: our launcher, nobody, or another tool, and where that is named. */
export type ShellPrefix =
  | { readonly kind: "ours" }
  | { readonly kind: "none" }
  | { readonly kind: "other"; readonly variable: string; readonly program: string; readonly place: string };

interface Where {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** undefined for a client without such a setting. Another tool counts, wherever it is named. */
export async function findShellPrefix(client: ClientTraits, { env, cwd }: Where): Promise<ShellPrefix | undefined> {
  const { shellPrefix: variable } = client;
  if (variable === undefined) return undefined;
  const files = [...projectSettingsOf(client, cwd), ...userSettingsOf(client, env)];
  const named = await Promise.all(files.map(async (path) => [path, await prefixIn(path, variable)] as const));
  const places = [...named, ["the environment", env[variable]] as const];
  const found = places.filter(([, program]) => program !== undefined && program !== "");
  const [place, program = ""] = found.find(([, each]) => each?.endsWith("/jeeves-exec") === false) ?? [];
  if (place !== undefined) return { kind: "other", variable, program, place };
  return { kind: found.length > 0 ? "ours" : "none" };
}

/** For people: why commands are not cut. */
export function prefixWords({ place, program, variable }: Extract<ShellPrefix, { kind: "other" }>): string {
  return `commands are not cut: ${place} names ${program} as ${variable}`;
}

async function prefixIn(path: string, variable: string): Promise<string | undefined> {
  const text = (await readSettings(path).catch(() => undefined)) ?? "";
  const settings = path.endsWith(".json") && text !== "" ? parseJsonc(text) : undefined;
  const value = isRecord(settings) && isRecord(settings.env) ? settings.env[variable] : undefined;
  return typeof value === "string" ? value : undefined;
}
