// What Claude Code's user has forbidden it to read, as globs that our server refuses: from every settings file that holds
// for a project. Our globs are simpler than its rules; where a rule cannot be said in them, too much is refused.
import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { isObject } from "./json-settings.ts";
import { readSettings } from "./settings-file.ts";

export interface DenyPlaces {
  readonly cwd: string;
  readonly home: string;
  /** Claude Code's directory of the user. */
  readonly userDir: string;
  readonly managedDir: string;
  /** Our server may then be started in any project. */
  readonly scope: "user" | "project";
}

export interface DenyGlobs {
  readonly globs: readonly string[];
  /** Files that are there and tell nothing: their rules are unknown. */
  readonly unread: readonly string[];
}

/** Where an administrator's settings are. */
export function managedSettingsDir(platform: NodeJS.Platform = process.platform): string {
  return platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}

export async function claudeDenyGlobs(places: DenyPlaces): Promise<DenyGlobs> {
  const globs = new Set<string>();
  const unread: string[] = [];
  for (const { path, base } of await settingsFiles(places)) {
    const rules = await denyRulesOf(path);
    if (rules === undefined) unread.push(path);
    for (const rule of rules ?? []) for (const glob of toGlobs(rule, { ...places, base })) globs.add(glob);
  }
  return { globs: [...globs], unread };
}

async function settingsFiles({ cwd, userDir, managedDir }: DenyPlaces) {
  const dropIns = join(managedDir, "managed-settings.d");
  const names = (await readdir(dropIns).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
  return [
    { path: join(userDir, "settings.json"), base: userDir },
    { path: join(cwd, ".claude", "settings.json"), base: cwd },
    { path: join(cwd, ".claude", "settings.local.json"), base: cwd },
    { path: join(managedDir, "managed-settings.json"), base: cwd },
    ...names.map((name) => ({ path: join(dropIns, name), base: cwd })),
  ];
}

/** undefined: the file is there and cannot be understood. */
async function denyRulesOf(path: string): Promise<readonly string[] | undefined> {
  try {
    const text = (await readSettings(path, { follow: true })) ?? "";
    const settings: unknown = JSON.parse(text.replace(/^\uFEFF/, "").trim() || "{}");
    const deny = isObject(settings) && isObject(settings.permissions) ? settings.permissions.deny : [];
    return Array.isArray(deny) ? deny.map(String) : [];
  } catch {
    return undefined;
  }
}

/** `Read(./.env)` is `.env`; `Read` alone is everything. A rule about anything but reading is none of ours. */
function toGlobs(rule: string, places: DenyPlaces & { readonly base: string }): string[] {
  const found = /^Read(?:\((.*)\))?$/s.exec(rule.trim());
  if (found === null) return [];
  const spec = found[1]?.trim() ?? "**";
  return expandBraces(spec).flatMap((each) => {
    const simple = each.replace(/\[[^\]]*\]|,/g, "?");
    const glob = toRelative(simple, places);
    return glob === undefined || glob === "" ? [] : [glob];
  });
}

/** A path from the root of the project; undefined where the rule speaks of another place. */
function toRelative(spec: string, { cwd, home, base, scope }: DenyPlaces & { readonly base: string }) {
  if (!/^(?:\/|~\/)/.test(spec)) return spec.replace(/^\.\//, "");
  // Two slashes begin at the file system's root, one at the place of the settings.
  const path = spec.startsWith("~/")
    ? join(home, spec.slice(2))
    : spec.startsWith("//")
      ? spec.slice(1)
      : join(base, spec);
  const [fixed, rest] = splitAtWildcard(path);
  if (isInside(cwd, fixed)) return [...relative(cwd, fixed).split(sep), rest].filter((part) => part !== "").join("/");
  if (isInside(fixed, cwd)) return below(rest, relative(fixed, cwd).split(sep).length);
  // Another project's, where our server may be started as well.
  return scope === "user" ? ["**", basename(fixed), rest].filter((part) => part !== "").join("/") : undefined;
}

function splitAtWildcard(path: string): readonly [string, string] {
  const at = path.search(/[*?]/);
  if (at < 0) return [path, ""];
  const fixed = dirname(`${path.slice(0, at)}x`);
  return [fixed, path.slice(fixed.length).replace(/^\/+/, "")];
}

/** What is left of a pattern for the files of a directory so many steps below its fixed part. */
function below(rest: string, steps: number): string {
  const parts = rest.split("/");
  for (let step = 0; step < steps && parts.length > 1 && parts[0] !== "**"; step++) parts.shift();
  return parts.join("/") || "**";
}

function isInside(dir: string, path: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : `${dir}${sep}`);
}

function expandBraces(text: string): string[] {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text);
  if (found === null) return [text];
  const [, before = "", list = "", after = ""] = found;
  return list.split(",").flatMap((each) => expandBraces(`${before}${each}${after}`));
}
