// Who may import whom: the table of ARCHITECTURE.md as a literal, held against every import of every source file.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = resolve(fileURLToPath(import.meta.url), "../..");

interface Rule {
  /** Packages of ours that this one may import. */
  readonly ours: readonly string[];
  /** Packages from outside. */
  readonly others: readonly string[];
}

const TABLE: Readonly<Record<string, Rule>> = {
  prune: { ours: [], others: ["web-tree-sitter", "@vscode/tree-sitter-wasm"] },
  state: { ours: [], others: [] },
  workspace: {
    ours: [],
    others: [
      "@vscode/ripgrep",
      "@secretlint/core",
      "@secretlint/secretlint-rule-preset-recommend",
      "picomatch",
      "smol-toml",
    ],
  },
  kit: { ours: ["state"], others: ["@modelcontextprotocol/node", "@modelcontextprotocol/server", "zod"] },
  intercept: { ours: ["prune", "state", "workspace"], others: [] },
  "mcp-pruner": { ours: ["prune", "state", "workspace", "intercept", "kit"], others: ["zod"] },
  "pruner-service": { ours: ["prune", "state", "kit"], others: ["zod"] },
  research: { ours: ["prune", "state", "workspace", "kit"], others: ["@vscode/ripgrep", "zod"] },
  rudder: { ours: ["prune", "state", "workspace", "kit", "runner"], others: ["commander", "yaml", "zod"] },
  // The runner finds mcp-pruner's built entry by name, and imports nothing of it (J-03, J-86).
  runner: { ours: ["state", "intercept", "kit", "mcp-pruner"], others: ["zod"] },
  viewer: { ours: ["kit"], others: ["preact", "uplot", "zod"] },
  cli: {
    ours: [
      "prune",
      "state",
      "workspace",
      "kit",
      "intercept",
      "mcp-pruner",
      "pruner-service",
      "research",
      "rudder",
      "runner",
      "viewer",
    ],
    others: ["commander", "gpt-tokenizer"],
  },
};

/** Engines with a server beside them: only that folder may hear of the kit. */
const KIT_ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  research: ["src/mcp/", "src/mcp-research.ts"],
  rudder: ["src/mcp/", "src/cli/", "src/rudder.ts"],
};

/** rudder drives agents in one place: everything else of it must work where no agent is installed. */
const RUNNER_ONLY_IN = { rudder: "packages/rudder/src/cli/agent.ts" } as const;

/** An engine knows nothing of MCP, HTTP or the command line. */
const ENGINES = ["prune", "state", "workspace", "intercept"];
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s*)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|\brequire(?:\.resolve)?\(\s*"([^"]+)"\s*\)/g;

interface Import {
  readonly file: string;
  readonly name: string;
}

function sourcesOf(part: string): string[] {
  const dir = join(root, "packages", part, "src");
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") || file.endsWith(".tsx"))
    .map((file) => join(dir, file));
}

function importsOf(part: string): Import[] {
  return sourcesOf(part).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(IMPORT)].map((found) => ({
      file: relative(root, file),
      name: found[1] ?? found[2] ?? found[3] ?? "",
    })),
  );
}

/** `@scope/name/sub` and `name/sub` are the packages `@scope/name` and `name`. */
function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

const parts = readdirSync(join(root, "packages"));

describe("architecture", () => {
  it("every package stands in the table", () => {
    expect(Object.keys(TABLE).sort()).toEqual([...parts].sort());
  });

  it.each(parts)("J-03 %s imports only what the table allows", (part) => {
    const rule = TABLE[part] ?? { ours: [], others: [] };
    const allowed = new Set([...rule.ours.map((name) => `@jeeves/${name}`), ...rule.others]);
    const wrong = importsOf(part).filter(
      ({ name }) => !name.startsWith("node:") && !name.startsWith(".") && !allowed.has(packageOf(name)),
    );
    expect(wrong).toEqual([]);
  });

  it.each(parts)("%s declares what it imports, and nothing else", (part) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", part, "package.json"), "utf8"));
    const used = new Set(
      importsOf(part)
        .filter(({ name }) => !name.startsWith("node:") && !name.startsWith("."))
        .map(({ name }) => packageOf(name)),
    );
    const declared = Object.keys(manifest.dependencies ?? {});
    // What is only looked up at run time (a grammar, a built entry) stands in a string.
    const text = sourcesOf(part)
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    for (const name of declared) if (text.includes(`"${name}/`) || text.includes(`\`${name}/`)) used.add(name);
    expect(declared.sort()).toEqual([...used].sort());
  });

  it.each(parts)("%s reaches into no other package by path", (part) => {
    const dir = join(root, "packages", part);
    const outside = importsOf(part).filter(
      ({ file, name }) => name.startsWith(".") && relative(dir, resolve(root, file, "..", name)).startsWith(".."),
    );
    expect(outside).toEqual([]);
  });

  it.each(Object.entries(KIT_ONLY_IN))("%s knows the kit only in %j", (part, places) => {
    const wrong = importsOf(part).filter(
      ({ file, name }) =>
        name.startsWith("@jeeves/kit") && !places.some((place) => file.startsWith(`packages/${part}/${place}`)),
    );
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(RUNNER_ONLY_IN))("%s knows the runner only in %s", (part, place) => {
    const wrong = importsOf(part).filter(({ file, name }) => name.startsWith("@jeeves/runner") && file !== place);
    expect(wrong).toEqual([]);
  });

  it.each(ENGINES)("the engine %s hears nothing of MCP, HTTP or argv", (part) => {
    const wrong = importsOf(part).filter(({ name }) => /modelcontextprotocol|^node:https?$|^commander$/.test(name));
    const readsArgv = sourcesOf(part).filter((file) => /process\.(argv|exit\b)/.test(readFileSync(file, "utf8")));
    expect({ wrong, readsArgv }).toEqual({ wrong: [], readsArgv: [] });
  });

  it("every source file opens by saying what it is", () => {
    const silent = parts
      .flatMap((part) => sourcesOf(part))
      .filter((file) => {
        const [first = "", second = ""] = readFileSync(file, "utf8").split("\n");
        return !first.startsWith("//") && !(first.startsWith("#!") && second.startsWith("//"));
      });
    expect(silent.map((file) => relative(root, file))).toEqual([]);
  });
});
