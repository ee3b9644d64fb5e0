// What restricts reading in Codex: `deny` (or `none`) entries of permission profiles in its config.toml files, and the
// administrator's `deny_read`. Codex enforces them for commands in its sandbox; our server runs outside of it and
// must apply them itself. Codex' rules/*.rules are about commands, not files. A project's own file may choose a profile only
// where the user trusts the project; what it forbids always counts.
import { isAbsolute, join, resolve } from "node:path";
import { clientHomeOf, isRecord, traitsOf } from "@jeeves/base";
import { type LinkedGlob, placeLinkedGlob, resolveLinks, resolveLinksAbove } from "../linked-glob.ts";
import type { ClientPlaces } from "./client-places.ts";
import {
  matchesPlaced,
  type PlacedGlob,
  type ReadRules,
  type RuleProblem,
  rulesOrUnknown,
  segmentsBelow,
  unknownRules,
  type Verdict,
} from "./read-rules.ts";
import { createSettingsReader } from "./settings-reader.ts";

type Table = Readonly<Record<string, unknown>>;

interface Entry {
  readonly rule: string;
  readonly isDenied: boolean;
  /** A place and everything below it, or a glob; globs only deny. Absent where the place is not known. */
  readonly place?: string | LinkedGlob;
  /** Why the rule could not be understood. */
  readonly fault?: string;
}

/** An entry with its links resolved as they are now. */
interface PlacedEntry extends Pick<Entry, "rule" | "isDenied"> {
  readonly places: readonly string[];
  readonly globs: readonly PlacedGlob[];
}

type Access = Pick<Entry, "isDenied" | "fault">;

interface Parsed {
  readonly selected: string | undefined;
  readonly profiles: ReadonlyMap<string, { readonly parent: string | undefined; readonly entries: readonly Entry[] }>;
  readonly always: readonly Entry[];
  /** The trust level of projects, by their paths. */
  readonly trust: ReadonlyMap<string, string>;
}

/** Codex' names for the directories of the session. */
const WORKSPACE = new Set([":project_roots", ":workspace_roots", ":cwd"]);

const DENIED: Access = { isDenied: true };

/**
 * `current` reads the settings as they are now. `onProblem` is called for each file and rule that cannot be understood; such
 * a rule denies, and a file that cannot be parsed refuses everything.
 */
export function createCodexRules({
  root,
  projectDirs,
  mainCheckout,
  env,
  home,
  codexSystemDir = "/etc/codex",
}: ClientPlaces) {
  const reader = createSettingsReader(async (text) => parseConfig((await import("smol-toml")).parse(text)));
  const userDir = clientHomeOf(traitsOf("codex"), { ...env, HOME: home });
  const userFile = join(userDir, "config.toml");
  const dirOf = new Map(projectDirs.map((dir) => [join(dir, ".codex", "config.toml"), dir]));
  dirOf.delete(userFile); // in a session in the home directory, the project's file is the user's
  // As Codex reads them: later files win, the innermost directory before the outer ones, the administrator before all.
  const files = [
    join(codexSystemDir, "config.toml"),
    userFile,
    ...[...dirOf.keys()].reverse(),
    ...["managed_config.toml", "requirements.toml"].map((name) => join(codexSystemDir, name)),
  ];

  function parseConfig(config: Table): Parsed {
    const permissions = isRecord(config.permissions) ? config.permissions : {};
    const profiles = new Map<string, { parent: string | undefined; entries: readonly Entry[] }>();
    for (const [name, profile] of Object.entries(permissions)) {
      if (!isRecord(profile) || profile.filesystem === undefined) continue;
      const parent = typeof profile.extends === "string" ? profile.extends : undefined;
      profiles.set(name, { parent, entries: entriesOf(profile.filesystem, `permissions.${name}.filesystem`) });
    }
    const selected = config.default_permissions;
    return {
      selected: typeof selected === "string" ? selected : undefined,
      profiles,
      always: isRecord(permissions.filesystem) ? denyReadOf(permissions.filesystem.deny_read) : [],
      trust: trustOf(config.projects),
    };
  }

  function denyReadOf(value: unknown): Entry[] {
    if (value === undefined) return [];
    const access: Access = Array.isArray(value) ? DENIED : { ...DENIED, fault: "is not a list" };
    return [value].flat().map((path) => toEntry(String(path), `deny_read ${JSON.stringify(path)}`, access));
  }

  function entriesOf(table: unknown, name: string): Entry[] {
    if (!isRecord(table)) return [{ rule: name, ...DENIED, place: "/", fault: "is not a table" }];
    return Object.entries(table).flatMap(([key, value]) => {
      if (key === "glob_scan_max_depth") return [];
      const where = toPlace(key);
      const rows = isRecord(value) ? Object.entries(value) : [[undefined, value] as const];
      return rows.map(([below, access]): Entry => {
        const names = [key, ...(below === undefined ? [] : [below])].map((each) => JSON.stringify(each)).join(" ");
        const rule = `${name} ${names} = ${JSON.stringify(access)}`;
        const known = { ...accessOf(access), ...(where.fault === undefined ? {} : { fault: where.fault }) };
        if (where.path === undefined) return { rule, ...known };
        return below === undefined ? toEntry(where.path, rule, known) : toEntry(below, rule, known, where.path);
      });
    });
  }

  function toEntry(path: string, rule: string, access: Access, below = root): Entry {
    const base = resolve(root, below);
    const plain = path.replace(/\/\*\*$/, "");
    const expanded = toPlace(plain).path ?? plain;
    if (!/[*?[\]{}]/.test(plain)) return { rule, ...access, place: resolve(base, expanded) };
    const options = { ignoreCase: process.platform !== "linux", anyDepth: false };
    // The home directory's name is not part of the pattern: it may contain special characters.
    const [from, glob] = plain.startsWith("~/")
      ? [home, plain.slice(1)]
      : isAbsolute(expanded)
        ? ["/", expanded]
        : [base, plain];
    const place = placeLinkedGlob(from, glob, options);
    const { fault } = place.written;
    return { rule, ...(access.isDenied && fault !== undefined ? { fault } : {}), ...access, place };
  }

  async function toReadRules(source: string, entries: readonly Entry[]): Promise<ReadRules> {
    const placed = await Promise.all(entries.map(toPlaced));
    return { verdictOn: (path) => verdictOf(placed, path, source) };
  }

  /** A denial also holds behind links; a permission only behind links above the root, which an agent cannot make. */
  async function toPlaced({ rule, isDenied, place }: Entry): Promise<PlacedEntry> {
    const entry = { rule, isDenied, places: [], globs: [] };
    if (place === undefined) return entry;
    if (typeof place !== "string") return isDenied ? { ...entry, globs: await place.current() } : entry;
    const real = isDenied ? await resolveLinks(place) : await resolveLinksAbove(root, place);
    return { ...entry, places: [place, real] };
  }

  /** The path that a key names. Codex warns about unknown special names, and ignores them. */
  function toPlace(key: string): { readonly path?: string; readonly fault?: string } {
    if (key === "~" || key.startsWith("~/")) return { path: join(home, key.slice(1)) };
    if (!key.startsWith(":")) return { path: key };
    const [, name = key, below] = /^(:[^/]*)\/(.*)$/s.exec(key) ?? [];
    const fault = `${JSON.stringify(key)} is not one of Codex' special names`;
    // Codex does not know this form; taken as what was surely meant.
    if (below !== undefined && WORKSPACE.has(name)) return { path: join(root, below), fault };
    if (WORKSPACE.has(key)) return { path: root };
    if (key === ":root") return { path: "/" };
    if (key === ":slash_tmp") return { path: "/tmp" };
    if (key === ":tmpdir") return env.TMPDIR ? { path: env.TMPDIR } : {};
    return key === ":minimal" ? {} : { fault };
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
      if (settings.kind === "unusable") rules.push(unknownRules(path, settings.reason));
    }
    // A session's profile may also be chosen on the command line: where no file chooses one, all profiles count.
    const choosing = values.filter(({ path, selected }) => selected !== undefined && isTrusted(path, values));
    const selected = choosing.at(-1)?.selected;
    // The profile of a project that is not trusted is added to the others: it can forbid more, but allow nothing.
    const added = values.filter(({ path }) => !isTrusted(path, values)).flatMap((value) => value.selected ?? []);
    const names = selected === undefined ? undefined : withParents([selected, ...added], values);
    for (const { path, profiles, always } of values) {
      const used = [...profiles].filter(([name]) => names === undefined || names.has(name));
      for (const entries of [always, ...used.map(([, profile]) => profile.entries)]) {
        if (entries.length > 0) rules.push(await rulesOrUnknown(path, () => toReadRules(path, entries)));
        for (const { rule, isDenied, fault } of entries)
          if (isDenied && fault !== undefined) onProblem({ source: path, rule, message: fault });
      }
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
  const entries = Object.entries(isRecord(projects) ? projects : {});
  return new Map(entries.map(([path, project]) => [path, isRecord(project) ? String(project.trust_level) : ""]));
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

/** Of the places that contain a path the innermost decides; a glob that matches always denies. */
function verdictOf(entries: readonly PlacedEntry[], path: string, source: string): Verdict | undefined {
  let inner: PlacedEntry | undefined;
  let depth = -1;
  for (const entry of entries) {
    if (entry.globs.some((glob) => matchesPlaced(glob, path))) return { effect: "deny", rule: entry.rule, source };
    for (const place of entry.places) {
      if (segmentsBelow(place, path) === undefined || place.length < depth) continue;
      if (place.length > depth || entry.isDenied) [inner, depth] = [entry, place.length];
    }
  }
  return inner?.isDenied === true ? { effect: "deny", rule: inner.rule, source } : undefined;
}

/** An unknown access value denies. */
function accessOf(access: unknown): Access {
  if (access === "read" || access === "write") return { isDenied: false };
  return access === "deny" || access === "none" ? DENIED : { ...DENIED, fault: "is none of read, write and deny" };
}
