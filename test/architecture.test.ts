// Who may import whom, folder by folder, and what exists only once: the tables of ARCHITECTURE.md as literals, held
// against every source file.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { cyclesIn, type Import, packageOf, placesOf, root, type Source, sourcesIn, targetOf } from "./source-graph.ts";

interface Rule {
  /** Packages of ours that this one may import. */
  readonly ours: readonly string[];
  /** Of these only types. */
  readonly typesOf?: readonly string[];
  /** Packages from outside. */
  readonly others: readonly string[];
}

const TABLE: Readonly<Record<string, Rule>> = {
  base: { ours: [], others: [] },
  prune: { ours: ["base"], others: ["web-tree-sitter", "@vscode/tree-sitter-wasm"] },
  state: { ours: ["base"], others: ["pg"] },
  workspace: {
    ours: ["base"],
    others: [
      "@vscode/ripgrep",
      "@secretlint/core",
      "@secretlint/secretlint-rule-preset-recommend",
      "jsonc-parser",
      "picomatch",
      "smol-toml",
      "yaml",
    ],
  },
  cut: { ours: ["base", "prune", "state"], others: [] },
  kit: { ours: ["base", "state"], others: ["@modelcontextprotocol/node", "@modelcontextprotocol/server", "zod"] },
  intercept: { ours: ["base", "cut", "state", "workspace"], typesOf: ["prune"], others: [] },
  "mcp-pruner": {
    ours: ["base", "cut", "state", "workspace", "intercept", "kit"],
    others: ["zod"],
  },
  "pruner-service": { ours: ["base", "cut", "state", "kit"], typesOf: ["prune"], others: ["zod"] },
  research: {
    ours: ["base", "prune", "state", "workspace", "kit"],
    others: ["@photostructure/sqlite", "@vscode/ripgrep", "zod"],
  },
  rudder: { ours: ["base", "prune", "state", "workspace", "kit", "runner"], others: ["commander", "yaml", "zod"] },
  // The runner finds mcp-pruner's built entry by name, and imports nothing of it (J-03, J-86).
  runner: { ours: ["base", "state", "cut", "intercept", "kit", "mcp-pruner"], others: ["zod"] },
  viewer: { ours: ["base", "kit"], typesOf: ["state"], others: ["preact", "uplot", "zod"] },
  cli: {
    ours: [
      "base",
      "state",
      "workspace",
      "cut",
      "kit",
      "intercept",
      "mcp-pruner",
      "pruner-service",
      "research",
      "rudder",
      "runner",
      "viewer",
    ],
    typesOf: ["prune"],
    others: ["commander", "gpt-tokenizer", "jsonc-parser", "smol-toml", "toml-eslint-parser"],
  },
};

/** Everything that shows a pruned text calls `cut`; these rank text for another purpose. */
const PRUNE_VALUES_IN = ["packages/cut/src/", "packages/research/src/", "packages/rudder/src/context/"];

/** Engines with a server beside them: only that folder may import the kit. */
const KIT_ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  research: ["src/mcp/", "src/mcp-research.ts"],
  rudder: ["src/mcp/", "src/cli/", "src/rudder.ts", "src/http.ts"],
};

/** rudder drives agents in one place: everything else of it must work where no agent is installed. */
const RUNNER_ONLY_IN = { rudder: "packages/rudder/src/cli/agent.ts" } as const;

/** An engine knows nothing of MCP, HTTP or the command line. */
const ENGINES = ["base", "prune", "state", "workspace", "cut", "intercept"];

/** Folder of a package → its folders that it may import. Files directly in src/ are not held to an order. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  prune: {
    text: [],
    outline: ["text"],
    docs: ["text", "outline"],
    matches: ["text", "outline"],
    rank: ["text", "outline"],
    select: ["text", "outline"],
    logs: ["text", "outline", "select"],
    reruns: ["text", "outline", "matches", "logs"],
    shapes: ["text", "outline", "rank", "logs"],
  },
  cut: { engine: [], meter: [], search: [], show: ["search"], policy: ["meter"], rerun: ["engine", "show"] },
  state: {
    database: [],
    files: [],
    lock: ["files"],
    project: [],
    store: ["files", "lock", "project"],
    shared: ["database", "project", "store"],
  },
  workspace: { command: [], rules: [], redact: [], search: ["command", "rules"] },
  intercept: {
    transcript: [],
    claude: ["hook", "stored", "transcript"],
    codex: ["hook", "stored", "transcript"],
    gemini: ["hook", "stored", "transcript"],
    opencode: ["focus", "hook", "stored"],
    plain: ["claude", "hook", "stored"],
    focus: ["claude", "codex", "gemini", "transcript"],
    replay: ["claude", "codex", "hook", "transcript"],
  },
  kit: { config: [], http: ["events", "process"], mcp: ["events", "http", "process"] },
  runner: { process: [], wiring: [], log: ["process", "wiring"], providers: ["log", "process"] },
  research: {
    words: [],
    catalog: [],
    runtime: [],
    corpus: ["catalog", "runtime", "store", "words"],
    exact: ["catalog", "words"],
    rank: ["catalog", "corpus", "exact", "store", "words"],
    store: [],
    report: ["runtime"],
    roles: ["catalog", "corpus", "exact", "rank", "report", "runtime", "words"],
    evidence: ["catalog", "roles", "runtime", "words"],
    model: ["evidence", "roles", "runtime", "words"],
    mcp: ["report"],
  },
  rudder: {
    lease: [],
    artefact: [],
    memory: ["artefact"],
    versions: ["artefact"],
    haven: ["artefact", "lease", "memory"],
    graph: ["artefact", "haven"],
    context: ["artefact", "graph", "haven", "lease", "memory", "versions"],
    tasks: ["artefact", "context", "graph", "haven", "lease", "memory", "versions"],
    answers: ["artefact", "graph", "haven", "lease", "memory", "tasks", "versions"],
    agent: ["artefact", "graph", "haven", "lease", "memory", "tasks"],
    // Two faces: the server never imports the command line; the programs in src/ bring them together.
    mcp: ["agent", "answers", "context", "haven", "lease", "memory", "tasks"],
  },
  viewer: { page: [], http: [], "event-log": [] },
};

/** In these packages a file directly in src/ runs the folders, and no folder imports it. */
const FOLDERS_STAND_ALONE = ["prune"];

const MAX_FILES = 15;
/** Folders that may hold more, each with its reason. */
const LARGE_FOLDERS: Readonly<Record<string, string>> = {};

/** What exists several times soon differs: each is defined in one file. The second is how a copy would look. */
const ONCE: Readonly<Record<string, { readonly file: string; readonly is: RegExp }>> = {
  isRecord: {
    file: "packages/base/src/records.ts",
    is: /\b(?:function|const) isRecord\b|typeof (\w+) === "object" && \1 !== null && !Array\.isArray\(\1\)/,
  },
  systemCodeOf: {
    file: "packages/base/src/system-code.ts",
    is: /\b(?:function|const) systemCodeOf\b|instanceof Error\)? (?:&&|\|\|) !?\(?"code" in|\bErrnoException\b/,
  },
  findProgram: {
    file: "packages/base/src/find-program.ts",
    is: /\b(?:function|const) findProgram\b|\bPATH\b[^\n;]*\.split\(/,
  },
  "the gate": { file: "packages/base/src/gate.ts", is: /\b(?:function|const) create(?:Gate|Concurrency|Semaphore)\b/ },
  "the bounded line reader": {
    file: "packages/base/src/line-reader.ts",
    is: /\b(?:function|const) createLine(?:Reader|Splitter|Stream)\b/,
  },
  oneLine: { file: "packages/base/src/text/one-line.ts", is: /\b(?:function|const) (?:to)?[oO]neLine\b/ },
  "shell quoting": { file: "packages/base/src/text/shell-quote.ts", is: /'\\\\''/ },
  "the form of a prune id": { file: "packages/base/src/prune-id.ts", is: /prn_\[a-z2-7\]/ },
  "the reader of /proc/PID/stat": { file: "packages/base/src/system/processes.ts", is: /\/\$\{\w+\}\/stat`/ },
  "the number fields of configurations": {
    file: "packages/kit/src/config/count-field.ts",
    is: /regex\(\/\^\\d\+\$\/\)/,
  },
  "the parser of counts and ports": {
    file: "packages/base/src/whole-numbers.ts",
    is: /\/\^\\d\{1,\d+\}\$\/\.test\(/,
  },
};

/** Where /proc and Perl may be named in a string; other code asks the first, so that tests can hide both. */
const OPTIONAL_PARTS_IN: Readonly<Record<string, string>> = {
  "packages/base/src/system/optional-parts.ts": "the place of both",
  "packages/research/src/roots.ts": "a directory that is never searched; it is not read",
  "packages/workspace/src/command/supervisor.ts": "inside the Perl program, which runs only where Perl is",
};
const OPTIONAL_PART = /["'`](?:\/proc\b|[\w/]*\/perl\b|perl["'`])/;

/** Where a client's name may decide something: the table of clients, and modules that are about one client. */
const CLIENT_MODULES = [
  "packages/base/src/clients/clients.ts",
  "packages/intercept/src/claude/",
  "packages/intercept/src/codex/",
  "packages/intercept/src/gemini/",
  "packages/intercept/src/opencode/",
  "packages/runner/src/providers/",
  "packages/workspace/src/rules/claude.ts",
  "packages/workspace/src/rules/codex.ts",
  "packages/workspace/src/rules/opencode.ts",
  // Chooses between the three above.
  "packages/workspace/src/rules/client-rules.ts",
  "packages/cli/src/init/",
];
const CLIENT = "(?:claude(?:-code)?|codex|gemini(?:-cli)?|opencode|lm-?studio)";
const BRANCHES = [
  new RegExp(`(?:[=!]==?|\\bcase) ["'\`]${CLIENT}["'\`]`),
  new RegExp(`["'\`]${CLIENT}["'\`] [=!]==?`),
  new RegExp(`\\.(?:startsWith|endsWith|includes|indexOf)\\(["'\`]${CLIENT}`),
  new RegExp(`\\["${CLIENT}"[^\\]]*\\](?: as const\\))?\\.(?:find|some|includes|indexOf)`),
  new RegExp(`(?<![\\w"'\`.)\\]/-])/(?:\\^|\\\\b)(?:\\(\\?:|\\()?${CLIENT}`, "i"),
];

const parts = readdirSync(join(root, "packages"));
const sourcesOf = new Map(parts.map((part) => [part, sourcesIn(`packages/${part}/src`)]));
const sources = [...sourcesOf.values()].flat();
const importsOf = (part: string): Import[] => (sourcesOf.get(part) ?? []).flatMap(({ imports }) => imports);
const isOutside = ({ name }: Import) => !name.startsWith("node:") && !name.startsWith(".");
const ours = (name: string) => `@jeeves/${name}`;

describe("packages", () => {
  it("every package stands in the table", () => {
    expect(Object.keys(TABLE).sort()).toEqual([...parts].sort());
  });

  it.each(parts)("J-03 %s imports only what the table allows", (part) => {
    const rule = TABLE[part] ?? { ours: [], others: [] };
    const values = new Set([...rule.ours.map(ours), ...rule.others]);
    const types = new Set([...values, ...(rule.typesOf ?? []).map(ours)]);
    const wrong = importsOf(part).filter(
      (one) => isOutside(one) && !(one.isType ? types : values).has(packageOf(one.name)),
    );
    expect(wrong).toEqual([]);
  });

  it.each(parts)("%s declares what it imports, and nothing else", (part) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", part, "package.json"), "utf8"));
    const used = new Set(
      importsOf(part)
        .filter(isOutside)
        .map(({ name }) => packageOf(name)),
    );
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    // What is only looked up at run time (a grammar, a built entry) stands in a string.
    const text = (sourcesOf.get(part) ?? []).map((source) => source.text).join("\n");
    for (const name of declared) if (text.includes(`"${name}/`) || text.includes(`\`${name}/`)) used.add(name);
    expect(declared.sort()).toEqual([...used].sort());
  });

  it.each(parts)("%s reaches into no other package by path", (part) => {
    const outside = importsOf(part)
      .filter((one) => targetOf(one)?.startsWith(`packages/${part}/`) === false)
      // The one version of everything is in the root's package.json.
      .filter((one) => !(part === "base" && targetOf(one) === "package.json"));
    expect(outside).toEqual([]);
  });

  it("only cut, research and rudder's context import values of prune", () => {
    const wrong = sources
      .flatMap(({ imports }) => imports)
      .filter(({ name, isType }) => packageOf(name) === "@jeeves/prune" && !isType)
      .filter(({ file }) => !PRUNE_VALUES_IN.some((place) => file.startsWith(place)));
    expect(wrong).toEqual([]);
  });

  it("beside the packages, only bench and train import prune", () => {
    const wrong = ["scripts", "mcp", "test"]
      .flatMap(sourcesIn)
      .flatMap(({ imports }) => imports)
      .filter((one) => packageOf(one.name) === "@jeeves/prune" || targetOf(one)?.startsWith("packages/prune/"));
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(KIT_ONLY_IN))("%s knows the kit only in %j", (part, places) => {
    const wrong = importsOf(part).filter(
      ({ file, name }) =>
        packageOf(name) === "@jeeves/kit" && !places.some((place) => file.startsWith(`packages/${part}/${place}`)),
    );
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(RUNNER_ONLY_IN))("%s knows the runner only in %s", (part, place) => {
    const wrong = importsOf(part).filter(({ file, name }) => packageOf(name) === "@jeeves/runner" && file !== place);
    expect(wrong).toEqual([]);
  });

  it.each(ENGINES)("the engine %s hears nothing of MCP, HTTP or argv", (part) => {
    const wrong = importsOf(part).filter(({ name }) => /modelcontextprotocol|^node:https?$|^commander$/.test(name));
    const readsArgv = (sourcesOf.get(part) ?? []).filter(({ code }) => /process\.(argv|exit\b)/.test(code));
    expect({ wrong, readsArgv: readsArgv.map(({ file }) => file) }).toEqual({ wrong: [], readsArgv: [] });
  });
});

/** `outline` for packages/prune/src/outline/parts.ts, "" for a file directly in src/. */
function folderOf(file: string): string {
  const inside = file.split("/").slice(3);
  return inside.length > 1 ? (inside[0] ?? "") : "";
}

describe("folders", () => {
  it.each(Object.keys(FOLDERS))("the folders of %s import each other in one order", (part) => {
    const order = FOLDERS[part] ?? {};
    const wrong = importsOf(part).filter((one) => {
      const to = targetOf(one);
      const allowed = order[folderOf(one.file)];
      if (to === undefined || allowed === undefined || !to.startsWith(`packages/${part}/src/`)) return false;
      const folder = folderOf(to);
      if (folder === "") return FOLDERS_STAND_ALONE.includes(part);
      return folder !== folderOf(one.file) && !allowed.includes(folder);
    });
    expect(wrong).toEqual([]);
  });

  it.each(FOLDERS_STAND_ALONE)("every folder of %s has its place in the order", (part) => {
    const folders = new Set((sourcesOf.get(part) ?? []).map(({ file }) => folderOf(file)));
    folders.delete("");
    expect([...folders].sort()).toEqual(Object.keys(FOLDERS[part] ?? {}).sort());
  });

  it("no file imports itself through others, not even a type", () => {
    expect(cyclesIn(sources)).toEqual([]);
  });

  it(`a folder holds at most ${MAX_FILES} source files`, () => {
    const counts = new Map<string, number>();
    for (const { file } of sources) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
    const large = [...counts].filter(([, count]) => count > MAX_FILES).map(([folder]) => folder);
    // An exception that is no longer needed must be removed.
    expect(large.sort()).toEqual(Object.keys(LARGE_FOLDERS).sort());
  });
});

describe("once", () => {
  it.each(Object.entries(ONCE))("%s is defined in one file", (_what, { file, is }) => {
    const places = sources.filter((source) => placesOf(source, is).length > 0);
    expect(places.flatMap((source: Source) => (source.file === file ? file : placesOf(source, is)))).toEqual([file]);
  });

  it("/proc and Perl are named where tests can hide them", () => {
    const found = sources.filter((source) => placesOf(source, OPTIONAL_PART).length > 0);
    const wrong = found.filter(({ file }) => !(file in OPTIONAL_PARTS_IN));
    expect(wrong.flatMap((source) => placesOf(source, OPTIONAL_PART))).toEqual([]);
    expect(found.map(({ file }) => file).sort()).toEqual(Object.keys(OPTIONAL_PARTS_IN).sort());
  });

  it("only the table of clients and a client's own module branch on a client's name", () => {
    const wrong = sources
      .filter(({ file }) => !CLIENT_MODULES.some((place) => file.startsWith(place)))
      .flatMap((source) => BRANCHES.flatMap((pattern) => placesOf(source, pattern)));
    expect(wrong).toEqual([]);
  });
});

it("the engine reads no clock: a busy machine cut the same text differently", () => {
  const CLOCK = /\b(?:performance|Date|hrtime|setTimeout|setInterval|AbortSignal\.timeout)\b/g;
  const engine = sources.filter(({ file }) => file.startsWith("packages/prune/src/"));
  expect(engine.length).toBeGreaterThan(50);
  expect(engine.flatMap((source) => placesOf(source, CLOCK))).toEqual([]);
});

it("every source file opens by saying what it is", () => {
  const silent = sources.filter(({ text }) => {
    const [first = "", second = ""] = text.split("\n");
    return !first.startsWith("//") && !(first.startsWith("#!") && second.startsWith("//"));
  });
  expect(silent.map(({ file }) => file)).toEqual([]);
});
