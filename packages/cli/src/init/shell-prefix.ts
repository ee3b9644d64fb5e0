// Which program a client puts in front of its commands. It takes one: where another tool has the place, ours gives way, and
// commands are not cut.
import { type ClientTraits, isRecord, projectSettingsOf, userSettingsOf } from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import { readSettings } from "./settings-file.ts";

/** Who has the place: our launcher, none, or another tool, and where that is named. */
type ShellPrefix =
  | { readonly kind: "ours" }
  | { readonly kind: "none" }
  | { readonly kind: "other"; readonly variable: string; readonly program: string; readonly place: string };

interface Where {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** undefined for a client without such a setting. Another tool counts, wherever it is named. */
export async function findShellPrefix(client: ClientTraits, where: Where): Promise<ShellPrefix | undefined> {
  return prefixNamedIn([...projectSettingsOf(client, where.cwd), ...userSettingsOf(client, where.env)], client, where);
}

/**
 * Whether another tool has the place that settings of this scope would take from it: those of a project win over the
 * user's, and the user's over the environment.
 */
export async function hasOtherPrefix(
  client: ClientTraits,
  where: Where & { readonly scope: "user" | "project" },
): Promise<boolean> {
  const inProject = where.scope === "project" ? projectSettingsOf(client, where.cwd) : [];
  const found = await prefixNamedIn([...inProject, ...userSettingsOf(client, where.env)], client, where);
  return found?.kind === "other";
}

async function prefixNamedIn(
  files: readonly string[],
  { shellPrefix: variable }: ClientTraits,
  { env }: Where,
): Promise<ShellPrefix | undefined> {
  if (variable === undefined) return undefined;
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
