// The example of a client that Jeeves does not know, with its adapter, in the suite of all clients with hooks. Nothing is
// downloaded for it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkRun, createClientEnv } from "./clients/agent.ts";
import { runCommandLine } from "./clients/command-line.ts";
import { describeClient, type HookedClient } from "./clients/conformance-suite.ts";
import { type Dialect, startScriptedModel } from "./clients/scripted-model.ts";
import { root } from "./source-graph.ts";

const EXAMPLE = join(root, "examples", "client-adapter");
const TEXT_SERVER = join(root, "test", "clients", "text-server.mjs");

interface Asked {
  readonly prompt: string;
  readonly steps: readonly { readonly tool: string; readonly shown: string }[];
}

const json = (status: number, value: unknown) => ({
  ...{ status, contentType: "application/json", body: JSON.stringify(value) },
});

const dialect: Dialect = {
  modelPath: "/",
  parse(body) {
    const { prompt, steps } = body as Asked;
    const outputs = steps.map(({ tool, shown }, index) => ({
      ...{ callId: `call_${index}`, call: { tool }, parts: [shown], isError: shown.startsWith("failed: ") },
    }));
    return { tools: [], answers: steps.length, outputs, instructions: prompt };
  },
  render: (turn) => json(200, "say" in turn ? turn : { tool: turn.call.tool, input: turn.arguments }),
  answerOther: () => undefined,
  renderProblem: (message) => json(400, { message }),
};

const adapter = (word: string, env: Readonly<Record<string, string>>) =>
  void execFileSync(process.execPath, [join(EXAMPLE, "adapter.mjs"), word], { env, stdio: "pipe" });

const pebble: HookedClient = {
  name: "Pebble, the example",
  connect: (_, env) => adapter("--install", env),
  disconnect: (_, env) => adapter("--remove", env),
  async prepare({ home }, textFile) {
    const text = { command: process.execPath, args: [TEXT_SERVER], env: { TEXT_FILE: textFile } };
    await mkdir(join(home, ".pebble"));
    const settings = { forbid: ["secret.txt"], servers: { text } };
    await writeFile(join(home, ".pebble", "settings.json"), JSON.stringify(settings));
    return createClientEnv(home);
  },
  async run({ prompt, script, cwd, env }) {
    const model = await startScriptedModel(script, dialect);
    try {
      const given = { cwd, env: { ...env, PEBBLE_MODEL: model.origin } };
      const failure = await runCommandLine(process.execPath, [join(EXAMPLE, "pebble.mjs"), prompt], given);
      return checkRun(model, failure && `pebble ${failure}`);
    } finally {
      await model.close();
    }
  },
  read: (path) => ({ call: { tool: "page" }, with: { file: path } }),
  shell: (line) => ({ call: { tool: "run" }, with: { line } }),
  search: (word, dir) => ({ call: { tool: "seek" }, with: { word, below: dir } }),
  fetchText: () => ({ call: { tool: "ask" }, with: { server: "text", tool: "fetch", words: {} } }),
  edit: (path, before, after) => ({ call: { tool: "swap" }, with: { file: path, old: before, by: after } }),
  recover: (lines) => ({ call: { tool: "page" }, with: (seen) => ({ ...lines(seen) }) }),
  plain: (shown) => shown,
  reads: "numbered",
  maxMatches: 168,
};

describeClient(pebble);

it("X-62 the adapter leaves another filter alone, and takes out what it wrote", async () => {
  const home = await mkdtemp(join(tmpdir(), "jeeves-pebble-"));
  try {
    const path = join(home, ".pebble", "filter.json");
    adapter("--install", { HOME: home });
    expect(readFileSync(path, "utf8")).toContain("adapter.mjs");
    adapter("--remove", { HOME: home });
    expect(existsSync(path)).toBe(false);
    await writeFile(path, '{"run":["another"]}');
    for (const word of ["--install", "--remove"]) {
      expect(() => adapter(word, { HOME: home })).toThrow("names another filter");
      expect(readFileSync(path, "utf8")).toBe('{"run":["another"]}');
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
