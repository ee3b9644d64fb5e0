// Whatever a model writes into an argument is text: nothing runs, nothing is read or written outside the haven.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, type TestHaven, taskPath } from "../haven-under-test.ts";
import { openClient, startServer, type TestClient, type TestServer } from "./server-under-test.ts";

let test: TestHaven;
let server: TestServer;
let client: TestClient;
let bait: string;

beforeAll(async () => {
  test = await makeProject(44);
  bait = join(test.dir, "bait");
  writeFileSync(join(test.dir, "secret.md"), "---\nid: T099\ntitle: secret\n---\n\nthe secret of others\n");
  mkdirSync(join(test.project, "src"), { recursive: true });
  server = startServer(test, ["--socket", join(test.haven, "mcp.sock")]);
  await server.said("  Project root: ");
  client = await openClient({ path: join(test.haven, "mcp.sock") });
});
afterAll(async () => {
  client?.close();
  await server?.stop();
  test?.remove();
});

const attacks = (): string[] => [
  `$(touch ${bait})`,
  `\`touch ${bait}\``,
  `; touch ${bait}`,
  `x\ntouch ${bait}\n`,
  `| tee ${bait}`,
  `&& touch ${bait} &`,
  `> ${bait}`,
  `"; touch ${bait}; "`,
  `'; touch ${bait}; '`,
  `\${IFS}touch`,
  `--root=${test.dir}`,
  "--force",
  "--help",
  "../../secret.md",
  `${test.dir}/secret.md`,
  "T042/../../../secret",
  "%2e%2e%2fsecret",
  "\u001b]0;title\u0007",
  '{{"by":"root"}}',
  "\u2028[CRITICAL] forged",
];

/** Everything outside the haven, with its time of change. */
function outside(): string[] {
  return readdirSync(test.dir, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("haven"))
    .map((name) => `${name} ${statSync(join(test.dir, name)).mtimeMs}`)
    .sort();
}

describe("arguments are text", () => {
  it("X-28 in task_log: every attack comes back as the message that it is, one line each", async () => {
    const before = outside();
    for (const text of attacks()) {
      const answer = await client.call("task_log", {
        task_id: "T042",
        message: `m ${text}`,
        file: text,
        command: text,
      });
      expect(answer.isError, text).toBe(false);
    }
    const lines = test.read("memory/T042.log").trimEnd().split("\n");
    expect(lines).toHaveLength(attacks().length);
    const { log } = await test.json(["task", "show-memory", "T042"]);
    expect(log.map((line: { message: string }) => line.message)).toEqual(attacks().map((text) => `m ${text}`));
    expect(log.map((line: { files: string[] }) => line.files[0])).toEqual(attacks());
    expect(log.every((line: { by?: string }) => line.by === undefined)).toBe(true);
    expect(existsSync(bait)).toBe(false);
    expect(outside()).toEqual(before);
  });

  it.each(["task_show", "task_show_memory", "task_targets", "assign_claim", "assign_release", "deps_show"])(
    "X-28 as the id of %s it is no id",
    async (name) => {
      const before = outside();
      for (const task_id of attacks()) {
        const answer = await client.call(name, { task_id });
        expect(answer.isError, task_id).toBe(true);
        expect(answer.text).not.toContain("the secret of others");
      }
      expect(existsSync(bait)).toBe(false);
      expect(outside()).toEqual(before);
    },
  );

  it("X-28 as an operation of context_load it is none", async () => {
    for (const operation of attacks()) {
      const answer = await client.call("context_load", { operation });
      expect(answer.isError, operation).toBe(true);
    }
  });

  it("X-28 in cli, raw and quoted, in every place: nothing runs, nothing leaves the haven", async () => {
    const before = outside();
    const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
    for (const text of attacks()) {
      for (const word of [text, quote(text), `"${text.replace(/["\\$`]/g, "\\$&")}"`]) {
        for (const command of [
          word,
          `task show ${word}`,
          `task log T043 ${word}`,
          `task log T043 -- ${word}`,
          `task log T043 x -f ${word}`,
          `artifact show T043 --section ${word}`,
          `artifact edit T043 --section Notes --append ${word}`,
          `artifact show ${word}`,
          `memory show ${word}`,
          `deps add T043 --blocked-by ${word}`,
          `assign claim T043 --operation ${word} --quiet`,
        ]) {
          const answer = await client.call("cli", { command });
          expect(answer.text, command).not.toContain("the secret of others");
          expect(answer.text, command).not.toContain("uid=");
        }
      }
    }
    expect(existsSync(bait)).toBe(false);
    expect(outside()).toEqual(before);
    // The artefact is still one, and no other one was touched.
    expect((await test.json(["task", "show", "T043"])).title).toBe("Task 43");
    expect((await test.json(["deps", "validate"])).findings).toEqual([]);
    expect(test.read(taskPath(44))).toContain("status: Not Started");
  });

  it("X-28 a link inside the haven leads nowhere", async () => {
    symlinkSync(join(test.dir, "secret.md"), join(test.haven, "artefacts/prds/PRD-001-shop/tasks/T099-secret.md"));
    for (const [name, args] of [
      ["task_show", { task_id: "T099" }],
      ["cli", { command: "artifact show T099" }],
      ["cli", { command: 'artifact edit T099 --section Notes --append "x"' }],
      ["context_load", { operation: "T099" }],
    ] as const) {
      const answer = await client.call(name, args);
      expect(answer.isError, name).toBe(true);
      expect(answer.text).not.toContain("the secret of others");
    }
    expect(readFileSync(join(test.dir, "secret.md"), "utf8")).toContain("the secret of others\n");
  });
});
