// Claude Code's permission rules about reading files: `Read(…)` under `deny` and `ask`, from every settings file that
// holds for a project. Patterns follow .gitignore, without regard to case; they count from the file system's root (`//`),
// the home (`~/`), the place of the settings (`/`) or the project (all others). Its exceptions (`!`) are not looked at,
// so a little more is refused than the client refuses.
import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { clientHomeOf, isRecord, traitsOf } from "@jeeves/base";
import type { ClientPlaces } from "./client-places.ts";
import { escapeGlob } from "./glob.ts";
import { parseJsonc } from "./jsonc.ts";
import { matchesPlaced, type PlacedGlob, placeGlob, type ReadRules, type RuleProblem } from "./read-rules.ts";
import { createSettingsReader } from "./settings-reader.ts";

interface ClaudeRule {
  readonly effect: "deny" | "ask";
  readonly rule: string;
  readonly globs: readonly PlacedGlob[];
  readonly fault?: string;
}

interface SettingsFile {
  readonly path: string;
  /** What `/x` counts from. */
  readonly bases: readonly string[];
}

/** Where an administrator's settings are. */
export function managedSettingsDir(platform: NodeJS.Platform = process.platform): string {
  return platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}

export function createClaudeRules(places: ClientPlaces) {
  const { root, env, home, mainCheckout } = places;
  const userDir = clientHomeOf(traitsOf("claude-code"), { ...env, HOME: home });
  const managedDir = places.managedDir ?? managedSettingsDir();
  const dropInDir = join(managedDir, "managed-settings.d");
  const managed = [root, managedDir];
  const fixed: SettingsFile[] = [
    { path: join(managedDir, "managed-settings.json"), bases: managed },
    // What an organisation's server sent; the client keeps it there.
    { path: join(userDir, "remote-settings.json"), bases: managed },
    { path: join(userDir, "settings.json"), bases: [userDir] },
    { path: join(root, ".claude", "settings.json"), bases: [root] },
    // Local settings are kept with the main checkout; older versions keep them in the directory itself.
    ...[...new Set([root, mainCheckout])].map((dir) => ({
      path: join(dir, ".claude", "settings.local.json"),
      bases: [root],
    })),
  ];
  const basesOf = new Map(fixed.map(({ path, bases }) => [path, bases]));
  const reader = createSettingsReader((text, path) => parseRules(text, basesOf.get(path) ?? managed));

  async function filesNow(): Promise<readonly string[]> {
    const names = (await readdir(dropInDir).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
    return [...fixed.map(({ path }) => path), ...names.map((name) => join(dropInDir, name))];
  }

  async function parseRules(text: string, bases: readonly string[]): Promise<readonly ClaudeRule[]> {
    const settings = parseJsonc(text);
    if (settings === undefined) throw new Error("is not valid JSON");
    const rules: ClaudeRule[] = [];
    for (const effect of ["deny", "ask"] as const)
      for (const rule of listOf(settings, effect)) {
        const parsed = await parseRule(rule, bases);
        if (parsed !== undefined) rules.push({ effect, rule, ...parsed });
      }
    return rules;
  }

  /** undefined: a rule about something else than reading files. */
  async function parseRule(rule: string, bases: readonly string[]) {
    const found = /^\s*([^()\s]+)\s*(?:\((.*)\)\s*)?$/s.exec(rule);
    // Nothing but a file rule can begin so; what it says is unclear.
    if (found === null) return /^\s*Read\b/.test(rule) ? everything("cannot be understood") : undefined;
    const [, tool = "", content] = found;
    if (!isReadTool(tool)) return undefined;
    const spec = content?.trim() ?? "";
    if (spec === "" || spec === "*") return everything();
    if (/^(?:\.\/)?!/.test(spec)) return undefined;
    const globs = (await Promise.all(placesOf(spec, bases).map(toPlacedGlobs))).flat();
    const fault = globs.find((glob) => glob.fault !== undefined)?.fault;
    return { globs, ...(fault === undefined ? {} : { fault }) };
  }

  function everything(fault?: string) {
    const globs = [placeGlob("/", "**", { ignoreCase: true, anyDepth: true })];
    return { globs, ...(fault === undefined ? {} : { fault }) };
  }

  /** Where a pattern counts from, and what is left of it. */
  function placesOf(spec: string, bases: readonly string[]): readonly (readonly [string, string])[] {
    // `x/**` is `x` and all below, which every rule is.
    const pattern = /(?:^|\/)(?:\*\*|[~.])\/\*\*$|^\/+\*\*$/.test(spec) ? spec : spec.replace(/\/\*\*$/, "");
    if (pattern.startsWith("//")) return [["/", pattern.slice(1)]];
    if (pattern === "~" || pattern.startsWith("~/")) return [[home, `/${pattern.slice(2)}`]];
    if (pattern.startsWith("/")) return bases.map((base) => [base, pattern] as const);
    const own = pattern.replace(/^(?:\.\/)+/, "");
    const up = /^(?:\.\.\/)+/.exec(own)?.[0] ?? "";
    return up === "" ? [[root, own]] : [[join(root, up), `/${own.slice(up.length)}`]];
  }

  /** The pattern as it is written, and as it reads where a directory that it names is a link. */
  async function toPlacedGlobs([base, pattern]: readonly [string, string]): Promise<PlacedGlob[]> {
    const anyDepth = !/\/./.test(pattern);
    const options = { ignoreCase: true, anyDepth };
    const placed = placeGlob(base, pattern, options);
    if (anyDepth) return [placed];
    const parts = pattern.split("/").filter((part) => part !== "");
    const wild = parts.findIndex((part) => /[*?[\]{}\\]/.test(part));
    const literal = join(base, ...parts.slice(0, wild < 0 ? parts.length : wild));
    const rest = wild < 0 ? "" : parts.slice(wild).join("/");
    const real = await realpath(literal).catch(() => literal);
    if (real === literal) return [placed];
    const twin =
      rest === ""
        ? placeGlob(dirname(real), `/${escapeGlob(basename(real))}`, options)
        : placeGlob(real, `/${rest}`, { ...options, anyDepth: false });
    return [placed, twin];
  }

  async function current(onProblem: (problem: RuleProblem) => void): Promise<ReadRules[]> {
    const files = await filesNow();
    const found = await Promise.all(files.map(async (path) => ({ path, settings: await reader.read(path) })));
    return found.flatMap(({ path, settings }): ReadRules[] => {
      if (settings.kind === "missing") return [];
      if (settings.kind !== "value") onProblem({ source: path, message: settings.reason });
      if (settings.kind === "unusable")
        return [{ verdictOn: () => ({ effect: "unknown", rule: settings.reason, source: path }) }];
      if (settings.kind === "locked") return [];
      for (const { rule, fault } of settings.value)
        if (fault !== undefined) onProblem({ source: path, rule, message: fault });
      return [toReadRules(path, settings.value)];
    });
  }

  return { current };
}

function toReadRules(source: string, rules: readonly ClaudeRule[]): ReadRules {
  return {
    verdictOn(path) {
      const found = rules.find(({ globs }) => globs.some((glob) => matchesPlaced(glob, path)));
      return found === undefined ? undefined : { effect: found.effect, rule: found.rule, source };
    },
  };
}

/** The name may itself be a pattern. */
function isReadTool(name: string): boolean {
  const short = name.replace(/\*+/g, "*");
  if (!short.includes("*")) return short === "Read";
  // Longer ones cannot match, and must not be tried.
  return (
    short.length <= "*R*e*a*d*".length && new RegExp(`^${short.split("*").map(escapeRegExp).join(".*")}$`).test("Read")
  );
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function listOf(settings: unknown, effect: "deny" | "ask"): string[] {
  const permissions = at(settings, "permissions");
  const list = at(permissions, effect);
  if (list === undefined || list === null) return [];
  return (Array.isArray(list) ? list : [list]).filter((rule): rule is string => typeof rule === "string");
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}
