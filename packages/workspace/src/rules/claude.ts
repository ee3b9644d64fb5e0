// Claude Code's permission rules about reading files: `Read(…)` under `deny` and `ask`, from every settings file that
// holds for a project. Patterns follow .gitignore, without regard to case; they count from the file system's root (`//`),
// the home (`~/`), the place of the settings (`/`) or the project (all others). Exceptions (`!`) are ignored, so a
// little more is refused than by the client.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { clientHomeOf, isRecord, traitsOf } from "@jeeves/base";
import { type LinkedGlob, placeLinkedGlob } from "../linked-glob.ts";
import type { ClientPlaces } from "./client-places.ts";
import { parseJsonc } from "./jsonc.ts";
import {
  matchesPlaced,
  NO_RULES,
  type PlacedGlob,
  type ReadRules,
  type RuleProblem,
  rulesOrUnknown,
  unknownRules,
} from "./read-rules.ts";
import { createSettingsReader } from "./settings-reader.ts";

interface ClaudeRule {
  readonly effect: "deny" | "ask";
  readonly rule: string;
  readonly globs: readonly LinkedGlob[];
  readonly fault?: string;
}

interface SettingsFile {
  readonly path: string;
  /** The directories that `/x` counts from. */
  readonly bases: readonly string[];
}

/** Where an administrator's settings are. */
function managedSettingsDir(platform: NodeJS.Platform = process.platform): string {
  return platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}

/**
 * `current` reads the settings as they are now, and gives the rules of each file. `onProblem` is called for each file and
 * rule that cannot be understood. A file with a syntax error refuses everything: what it forbids is unknown.
 */
export function createClaudeRules(places: ClientPlaces) {
  const { root, env, home, mainCheckout } = places;
  const userDir = clientHomeOf(traitsOf("claude-code"), { ...env, HOME: home });
  const managedDir = places.managedDir ?? managedSettingsDir();
  const dropInDir = join(managedDir, "managed-settings.d");
  const managed = [root, managedDir];
  const fixed: SettingsFile[] = [
    { path: join(managedDir, "managed-settings.json"), bases: managed },
    // Settings from an organisation's server, which the client stores there.
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

  function parseRules(text: string, bases: readonly string[]): readonly ClaudeRule[] {
    const settings = parseJsonc(text);
    if (settings === undefined) throw new Error("is not valid JSON");
    const rules: ClaudeRule[] = [];
    for (const effect of ["deny", "ask"] as const)
      for (const rule of listOf(settings, effect)) {
        const parsed = parseRule(rule, bases);
        if (parsed !== undefined) rules.push({ effect, rule, ...parsed });
      }
    return rules;
  }

  /** Undefined for a rule that is not about reading files. */
  function parseRule(rule: string, bases: readonly string[]) {
    const found = /^\s*([^()\s]+)\s*(?:\((.*)\)\s*)?$/s.exec(rule);
    // Only a file rule can begin so, but its meaning is unclear.
    if (found === null) return /^\s*Read\b/.test(rule) ? everything("cannot be understood") : undefined;
    const [, tool = "", content] = found;
    if (!isReadTool(tool)) return undefined;
    const spec = content?.trim() ?? "";
    if (spec === "" || spec === "*") return everything();
    if (/^(?:\.\/)?!/.test(spec)) return undefined;
    const globs = placesOf(spec, bases).map(([base, pattern]) =>
      placeLinkedGlob(base, pattern, { ignoreCase: true, anyDepth: !/\/./.test(pattern) }),
    );
    const fault = globs.find(({ written }) => written.fault !== undefined)?.written.fault;
    return { globs, ...(fault === undefined ? {} : { fault }) };
  }

  function everything(fault?: string) {
    const globs = [placeLinkedGlob("/", "**", { ignoreCase: true, anyDepth: true })];
    return { globs, ...(fault === undefined ? {} : { fault }) };
  }

  /** The directories that a pattern counts from, each with the rest of the pattern. */
  function placesOf(spec: string, bases: readonly string[]): readonly (readonly [string, string])[] {
    // `x/**` means `x` and all below it, as every rule does anyway.
    const pattern = /(?:^|\/)(?:\*\*|[~.])\/\*\*$|^\/+\*\*$/.test(spec) ? spec : spec.replace(/\/\*\*$/, "");
    if (pattern.startsWith("//")) return [["/", pattern.slice(1)]];
    if (pattern === "~" || pattern.startsWith("~/")) return [[home, `/${pattern.slice(2)}`]];
    if (pattern.startsWith("/")) return bases.map((base) => [base, pattern] as const);
    const own = pattern.replace(/^(?:\.\/)+/, "");
    const up = /^(?:\.\.\/)+/.exec(own)?.[0] ?? "";
    return up === "" ? [[root, own]] : [[join(root, up), `/${own.slice(up.length)}`]];
  }

  async function current(onProblem: (problem: RuleProblem) => void): Promise<ReadRules[]> {
    const files = await filesNow();
    const found = await Promise.all(files.map(async (path) => ({ path, settings: await reader.read(path) })));
    const rules = found.map(async ({ path, settings }): Promise<ReadRules> => {
      if (settings.kind === "missing") return NO_RULES;
      if (settings.kind !== "value") onProblem({ source: path, message: settings.reason });
      if (settings.kind === "unusable") return unknownRules(path, settings.reason);
      if (settings.kind === "locked") return NO_RULES;
      for (const { rule, fault } of settings.value)
        if (fault !== undefined) onProblem({ source: path, rule, message: fault });
      return rulesOrUnknown(path, () => toReadRules(path, settings.value));
    });
    return Promise.all(rules);
  }

  return { current };
}

async function toReadRules(source: string, rules: readonly ClaudeRule[]): Promise<ReadRules> {
  const placed = await Promise.all(
    rules.map(async ({ effect, rule, globs }) => {
      const now: (readonly PlacedGlob[])[] = await Promise.all(globs.map((glob) => glob.current()));
      return { effect, rule, globs: now.flat() };
    }),
  );
  return {
    verdictOn(path) {
      const found = placed.find(({ globs }) => globs.some((glob) => matchesPlaced(glob, path)));
      return found === undefined ? undefined : { effect: found.effect, rule: found.rule, source };
    },
  };
}

/** The tool's name may itself be a pattern, such as `R*`. */
function isReadTool(name: string): boolean {
  const short = name.replace(/\*+/g, "*");
  if (!short.includes("*")) return short === "Read";
  // Longer patterns cannot match, and could take long to try.
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
