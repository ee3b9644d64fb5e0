import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it("J-93 every variable that the runner reads is in its README, and the ones about the pruner in mcp-pruner's CLAUDE.md", () => {
  const sources = readdirSync(new URL("../src", import.meta.url), { recursive: true, encoding: "utf8" });
  const read = sources
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [...textOf(`../src/${file}`).matchAll(/\benv\.(JEEVES_\w+)/g)].map(([, name]) => name ?? ""));
  // base and state read these for it.
  const elsewhere = ["JEEVES_MAX_RESULT_CHARS", "JEEVES_STATE_DIR", "XDG_STATE_HOME"];
  const variables = [...new Set([...read, ...elsewhere])].sort();
  expect(variables).toEqual([
    "JEEVES_DATABASE_URL",
    "JEEVES_EVENT_LOG",
    "JEEVES_MAX_RESULT_CHARS",
    "JEEVES_MCP",
    "JEEVES_MCP_PRUNER_PATH",
    "JEEVES_NODE",
    "JEEVES_PRUNER_ENABLED",
    "JEEVES_PRUNER_URL",
    "JEEVES_SCRIPT",
    "JEEVES_STATE_DIR",
    "XDG_STATE_HOME",
  ]);
  for (const name of variables) expect(textOf("../README.md")).toContain(`\`${name}\``);
  for (const name of variables.filter((each) => each.includes("PRUNER"))) {
    expect(textOf("../../mcp-pruner/CLAUDE.md")).toContain(`\`${name}\``);
  }
});

it("J-94 mcpConfig and every provider have tests of their own", () => {
  const tests = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" });
  expect(tests).toEqual(
    expect.arrayContaining([
      "mcpConfig.test.ts",
      "providers/providers.test.ts",
      "providers/codex.test.ts",
      "providers/claude.test.ts",
    ]),
  );
});
