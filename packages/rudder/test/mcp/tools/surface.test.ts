// What a model pays for this server on every turn, and what it is shown: pinned, so that a change is seen.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { commandLine } from "../../../src/cli/command-line.ts";
import { createProfile } from "../../../src/mcp/tools/profile.ts";
import { INSTRUCTIONS } from "../../../src/mcp/tools/surface.ts";
import { createTaskService } from "../../../src/mcp/tools/task-service.ts";

const place = { project: "/", projectHash: "0", haven: "/nowhere" };
const profile = createProfile(createTaskService({ place, env: {}, ttlMs: 1_000, commandLine }), {
  caller: () => ({ kind: "connection", name: "x" }),
});
const listed = profile.tools.map(({ name, description, inputSchema, annotations }) => ({
  name,
  description,
  inputSchema,
  ...(annotations === undefined ? {} : { annotations }),
}));

it("X-53 all of it, tools and instructions, is at most 900 tokens", () => {
  const tokens = encode(JSON.stringify(listed)).length + encode(INSTRUCTIONS).length;
  expect(tokens).toBeLessThanOrEqual(900);
  // It does cost something: a count of nothing would pass for ever.
  expect(tokens).toBeGreaterThan(300);
});

it("R-12 R-13 R-14 R-15 R-16 R-17 R-18 R-19 R-20 R-21 the eleven tools and their arguments", () => {
  const shown = listed.map(({ name, inputSchema }) => {
    const required = inputSchema.required ?? [];
    const args = Object.keys(inputSchema.properties ?? {}).map((arg) => (required.includes(arg) ? arg : `${arg}?`));
    return `${name}(${args.join(", ")})`;
  });
  expect(shown).toEqual([
    "task_log(task_id, message, level?, file?, command?)",
    "task_show(task_id)",
    "task_show_memory(task_id)",
    "task_targets(task_id)",
    "assign_claim(task_id)",
    "assign_release(task_id)",
    "deps_show(task_id)",
    "context_load(operation, role?)",
    "versions()",
    "status()",
    "cli(command)",
  ]);
});

it("R-12 every description is a sentence of its own, and no tool hides in another one's words", () => {
  for (const { name, description } of listed) expect(description.length, name).toBeGreaterThan(10);
  expect(new Set(listed.map((tool) => tool.description)).size).toBe(11);
});
