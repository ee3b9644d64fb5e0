// Codex with a person before it: our hook answers `allow` where it rewrites a command, and that must not answer for
// them. Codex still asks before a command leaves the sandbox, and runs it only then.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { type CodexTerminal, openCodex } from "./codex-terminal.ts";
import { startFakeOpenAi } from "./fake-openai.ts";
import { checkCut, createInterceptProject, FAILURES, FOCUS, type InterceptProject } from "./intercept-project.ts";
import { offlineCodex } from "./offline-settings.ts";
import type { ScriptedModel } from "./scripted-model.ts";

let project: InterceptProject;
let model: ScriptedModel;
let terminal: CodexTerminal | undefined;

beforeAll(async () => {
  project = await createInterceptProject();
  model = await startFakeOpenAi([
    { call: { tool: "exec_command" }, with: { cmd: "cat small.txt" } },
    {
      call: { tool: "exec_command" },
      with: { cmd: "npm test", sandbox_permissions: "require_escalated", justification: "The tests need the network" },
    },
    { say: "All is said." },
  ]);
  const codexHome = join(project.home, ".codex");
  const offline = await offlineCodex(codexHome, model.origin, {
    own: ['sandbox_mode = "workspace-write"'],
    tables: [`[projects.${JSON.stringify(project.root)}]`, 'trust_level = "trusted"'],
  });
  const own = { ...offline, JEEVES_STATE_DIR: project.stateDir };
  const env = { ...(await createClientEnv(project.home)), ...own };
  project.jeeves(["init", "codex"], env);
  terminal = openCodex(FOCUS, { cwd: project.root, env });
});
afterAll(async () => {
  await terminal?.close();
  await model?.close();
  await project?.remove();
});

/** What the commands printed, in any of the conversations: the client has more than one. */
const printed = () =>
  model.conversations.flatMap(({ outputs }) =>
    outputs.map(({ parts }) => parts.join("\n").split("Output:\n").at(-1) ?? ""),
  );

/** A question that has only just been drawn may not hear the first key; one key more does no harm. */
async function pressUntil(key: string, found: () => string | undefined): Promise<string> {
  for (const deadline = Date.now() + 60_000; ; ) {
    const text = found();
    if (text !== undefined) return text;
    if (Date.now() > deadline) throw new Error("the answer to the question was not heard");
    terminal?.press(key);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

it("a rewritten command that wants to leave the sandbox is asked for, runs only then, and reaches the model cut", async () => {
  const screen = await terminal?.waitFor(/Wouldyouliketorunthefollowingcommand\?/);
  expect(screen).toContain("Thetestsneedthenetwork");
  expect(screen).toMatch(/jeeves-exec--client=codex--state-dir=\S+'npmtest'/);
  // The command before it stayed in the sandbox, and Codex did not ask.
  expect(printed()).toContain("a small file\nwith two lines\n");
  expect(printed().join("\n")).not.toContain("3 failed");
  // "Yes, and don't ask again": what is remembered names no session, so that it holds in the next one.
  const shown = await pressUntil("p", () => printed().find((text) => text.includes("3 failed")));
  for (const line of FAILURES.flat()) expect(shown.split("\n")).toContain(line);
  const rules = await readFile(join(project.home, ".codex", "rules", "default.rules"), "utf8");
  expect(rules).toMatch(/"[^"]*\/jeeves-exec", "--client=codex", "--state-dir=[^"]*", "npm test"\]/);
  checkCut(shown, `\n> test\n> sh run-tests.sh\n\n${project.log}`, { numbered: false });
});
