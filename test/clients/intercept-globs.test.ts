// A long list of files from each client's own glob: every name that the client found reaches the model, each directory once.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENTS } from "./conformance-rows.ts";
import { createInterceptProject, type InterceptProject } from "./intercept-project.ts";
import type { Turn } from "./scripted-model.ts";

/** As each client calls it. */
const GLOBS: Readonly<Record<string, Turn>> = {
  "claude-code": { call: { tool: "Glob" }, with: { pattern: "**/*.component.ts" } },
  gemini: { call: { tool: "glob" }, with: { pattern: "**/*.component.ts" } },
  opencode: { call: { tool: "glob" }, with: { pattern: "**/*.component.ts" } },
};
const HOOKED = CLIENTS.filter(({ word }) => word in GLOBS);

/** A hundred: what Claude Code and opencode list at most. */
const FILES = Array.from(
  { length: 100 },
  (_, i) =>
    `packages/area-${i % 5}/src/features/orders-and-invoices/components/details/view-of-thing-${i}.component.ts`,
);

describe.each(HOOKED)("$name", (client) => {
  let project: InterceptProject;
  let shown: string;

  beforeAll(async () => {
    project = await createInterceptProject();
    for (const path of FILES.map((file) => join(project.root, file))) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, "");
    }
    const own = await client.prepare(project, join(project.root, "src/command.js"));
    const env = { ...own, JEEVES_STATE_DIR: project.stateDir };
    project.jeeves(["init", client.word], env);
    const glob = GLOBS[client.word];
    if (glob === undefined) throw new Error(`no glob for ${client.word}`);
    const script = [glob, { say: "Done." }];
    const seen = await client.run({ prompt: "Which components are there?", script, cwd: project.root, env });
    expect(seen.outputs[0]?.isError).toBe(false);
    shown = seen.outputs[0]?.parts.join("\n") ?? "";
  });
  afterAll(() => project?.remove());

  it("X-58 a glob names every file by its directory", () => {
    const named = shown.split("\n").flatMap((row) => {
      const [, dir = "", names = ""] = /^(\S+\/): (.+)$/.exec(row) ?? [];
      const below = dir.replace(`${project.root}/`, "");
      return names === "" ? [] : names.split(", ").map((name) => `${below}${name}`);
    });
    expect(named.sort()).toEqual([...FILES].sort());
    expect(shown).toMatch(/rest: .*prn_/);
    expect(shown.length).toBeLessThan(FILES.join("\n").length * 0.7);
    expect(project.meter().filter(({ kind }) => kind === "cut")).toHaveLength(1);
  });
});
