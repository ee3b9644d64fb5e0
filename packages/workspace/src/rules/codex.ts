// What restricts reading in Codex: `deny` (or `none`) entries of permission profiles in its config.toml files, and the
// administrator's `deny_read`. They bind the commands that Codex runs in its sandbox; our server runs outside of it. Its
// rules/*.rules are about commands alone and say nothing about files. A project's own file may choose a profile only
// where the user trusts the project; what it forbids always counts.
import { isAbsolute, join } from "node:path";
import type { ClientPlaces } from "./client-places.ts";
import {
  matchesPlaced,
  type PlacedGlob,
  placeGlob,
  type ReadRules,
  type RuleProblem,
  segmentsBelow,
} from "./read-rules.ts";
import { createSettingsReader } from "./settings-reader.ts";

type Table = Readonly<Record<string, unknown>>;

interface Entry {
  readonly rule: string;
  readonly isDenied: boolean;
  /** A place and everything below it, or a glob; globs only deny. */
  readonly place: string | PlacedGlob;
}

interface Parsed {
  readonly selected: string | undefined;
  readonly profiles: ReadonlyMap<string, { readonly parent: string | undefined; readonly entries: readonly Entry[] }>;
  readonly always: readonly Entry[];
  /** The trust that the file puts in projects, by their paths. */
  readonly trust: ReadonlyMap<string, string>;
}

/** Codex' names for the directories of the session. */
const WORKSPACE = new Set([":project_roots", ":workspace_roots", ":cwd"]);

export function createCodexRules({
  root,
  projectDirs,
  mainCheckout,
  env,
  home,
  codexSystemDir = "/etc/codex",
}: ClientPlaces) {
  const reader = createSettingsReader(async (text) => parseConfig((await import("smol-toml")).parse(text)));
  const userDir = env.CODEX_HOME || join(home, ".codex");
  const userFile = join(userDir, "config.toml");
  const dirOf = new Map(projectDirs.map((dir) => [join(dir, ".codex", "config.toml"), dir]));
  dirOf.delete(userFile); // a session in the home directory
  // As Codex reads them: later files win, the innermost directory before the outer ones, the administrator before all.
  const files = [
    join(codexSystemDir, "config.toml"),
    userFile,
    ...[...dirOf.keys()].reverse(),
    ...["managed_config.toml", "requirements.toml"].map((name) => join(codexSystemDir, name)),
  ];

  function parseConfig(config: Table): Parsed {
    const permissions = isTable(config.permissions) ? config.permissions : {};
    const profiles = new Map<string, { parent: string | undefined; entries: readonly Entry[] }>();
    for (const [name, profile] of Object.entries(permissions)) {
      if (!isTable(profile) || !isTable(profile.filesystem)) continue;
      const parent = typeof profile.extends === "string" ? profile.extends : undefined;
      profiles.set(name, { parent, entries: entriesOf(profile.filesystem, `permissions.${name}.filesystem`) });
    }
    const denyRead = isTable(permissions.filesystem) ? permissions.filesystem.deny_read : undefined;
    const always = (Array.isArray(denyRead) ? denyRead : []).map((path) =>
      toEntry(String(path), { isDenied: true, rule: `deny_read ${JSON.stringify(path)}`, base: root }),
    );
    const selected = config.default_permissions;
    return {
      selected: typeof selected === "string" ? selected : undefined,
      profiles,
      always,
      trust: trustOf(config.projects),
    };
  }

  function entriesOf(table: Table, name: string): Entry[] {
    return Object.entries(table).flatMap(([key, value]) => {
      if (key === "glob_scan_max_depth") return [];
      const base = WORKSPACE.has(key) ? root : toAbsolute(key);
      if (base === undefined) return []; // a special place that is no part of the project
      if (!isTable(value)) {
        const rule = `${name} ${JSON.stringify(key)} = ${JSON.stringify(value)}`;
        return [toEntry(WORKSPACE.has(key) ? root : key, { isDenied: isDeny(value), rule, base: root })];
      }
      return Object.entries(value).map(([below, access]) => {
        const rule = `${name} ${JSON.stringify(key)} ${JSON.stringify(below)} = ${JSON.stringify(access)}`;
        return toEntry(below, { isDenied: isDeny(access), rule, base });
      });
    });
  }

  function toEntry(path: string, { base, ...entry }: Omit<Entry, "place"> & { readonly base: string }): Entry {
    const plain = path.replace(/\/\*\*$/, "");
    const expanded = toAbsolute(plain) ?? plain;
    if (!/[*?[\]{}]/.test(plain)) return { ...entry, place: isAbsolute(expanded) ? expanded : join(base, expanded) };
    const options = { ignoreCase: process.platform !== "linux", anyDepth: false };
    return {
      ...entry,
      place: isAbsolute(expanded) ? placeGlob("/", expanded, options) : placeGlob(base, plain, options),
    };
  }

  /** undefined: one of Codex' special names that we do not know. */
  function toAbsolute(path: string): string | undefined {
    if (path === ":root") return "/";
    if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
    return path.startsWith(":") ? undefined : path;
  }

  async function current(onProblem: (problem: RuleProblem) => void): Promise<ReadRules[]> {
    const found = await Promise.all(files.map(async (path) => ({ path, settings: await reader.read(path) })));
    const values = found.flatMap(({ path, settings }) =>
      settings.kind === "value" ? [{ path, ...settings.value }] : [],
    );
    const rules: ReadRules[] = [];
    for (const { path, settings } of found) {
      if (settings.kind === "locked" || settings.kind === "unusable")
        onProblem({ source: path, message: settings.reason });
      if (settings.kind === "unusable")
        rules.push({ verdictOn: () => ({ effect: "unknown", rule: settings.reason, source: path }) });
    }
    // Which profile a session runs with may also be said on its command line: where no file says it, all of them count.
    const choosing = values.filter(({ path, selected }) => selected !== undefined && isTrusted(path, values));
    const selected = choosing.at(-1)?.selected;
    // The choice of a project that is not trusted can add what it forbids, and take nothing away.
    const added = values.filter(({ path }) => !isTrusted(path, values)).flatMap((value) => value.selected ?? []);
    const names = selected === undefined ? undefined : withParents([selected, ...added], values);
    for (const { path, profiles, always } of values) {
      if (always.length > 0) rules.push(toReadRules(path, always));
      for (const [name, { entries }] of profiles)
        if (names === undefined || names.has(name)) rules.push(toReadRules(path, entries));
    }
    return rules;
  }

  /** True for the user's and the administrator's files, and for those of a project that they trust. */
  function isTrusted(path: string, values: readonly (Parsed & { readonly path: string })[]): boolean {
    const dir = dirOf.get(path);
    if (dir === undefined) return true;
    const own = values.filter((value) => !dirOf.has(value.path));
    const levels = [dir, projectDirs.at(-1) ?? root, mainCheckout].flatMap(
      (place) => own.findLast(({ trust }) => trust.has(place))?.trust.get(place) ?? [],
    );
    return levels[0] === "trusted";
  }

  return { current };
}

function trustOf(projects: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(isTable(projects) ? projects : {});
  return new Map(entries.map(([path, project]) => [path, isTable(project) ? String(project.trust_level) : ""]));
}

function withParents(selected: readonly string[], files: readonly Parsed[]): ReadonlySet<string> {
  const names = new Set(selected);
  for (const name of names)
    for (const { profiles } of files) {
      const parent = profiles.get(name)?.parent;
      if (parent !== undefined) names.add(parent);
    }
  return names;
}

/** Of the places that hold a path the innermost decides; a glob that matches always denies. */
function toReadRules(source: string, entries: readonly Entry[]): ReadRules {
  return {
    verdictOn(path) {
      let inner: Entry | undefined;
      let depth = -1;
      for (const entry of entries) {
        const { place } = entry;
        if (typeof place !== "string") {
          if (entry.isDenied && matchesPlaced(place, path)) return { effect: "deny", rule: entry.rule, source };
          continue;
        }
        if (segmentsBelow(place, path) === undefined) continue;
        if (place.length > depth || (place.length === depth && entry.isDenied)) [inner, depth] = [entry, place.length];
      }
      return inner?.isDenied === true ? { effect: "deny", rule: inner.rule, source } : undefined;
    },
  };
}

function isDeny(access: unknown): boolean {
  return access === "deny" || access === "none";
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
