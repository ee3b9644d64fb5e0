import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startAgentProcess } from "../../src/process/agent-process.ts";
import { launcherEnv } from "../../src/process/launcher.ts";
import { dataOf, runScript } from "../run-under-test.ts";
import { makeTempDir } from "../scratch.ts";

const PRINT = "process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.JEEVES_LAUNCHER ?? null]))";

async function argvThroughLauncher(words: readonly string[], cwd: string): Promise<unknown> {
  const env = { PATH: process.env.PATH, ...launcherEnv({ command: "sh", args: ["-c"] }) };
  const command = { command: process.execPath, args: ["-e", PRINT, "--", ...words], cwd, env };
  const agent = startAgentProcess(command, { signal: new AbortController().signal });
  let text = "";
  for await (const chunk of agent.child.stdout.setEncoding("utf8")) text += chunk;
  await agent.closed;
  return JSON.parse(text);
}

it("X-29 what a launcher starts gets its words as they were, and never sees the launcher", async () => {
  const nasty = ["a b", "", "'", '"', "$(id)", "`id`", ";", "\n", "*", "é\\", "--x=1", "a'b'c"];
  expect(await argvThroughLauncher(nasty, await makeTempDir())).toEqual([nasty, null]);
});

it("X-29 a run's launcher stands in front of servers and commands, and its own servers come beside the others", async () => {
  const dir = await makeTempDir();
  const seen = join(dir, "seen.log");
  const sandbox = join(dir, "sandbox.sh");
  await writeFile(sandbox, `echo "$2" >> '${seen}'\nexec sh -c "$2"\n`);
  const server = join(dir, "server.mjs");
  await writeFile(
    server,
    `import { createInterface } from "node:readline";
     for await (const line of createInterface({ input: process.stdin })) {
       const { id, method } = JSON.parse(line);
       if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: method === "initialize" ? { capabilities: {} } : { content: [{ type: "text", text: "from the sandbox" }] } }));
     }`,
  );
  const { outcome, events } = await runScript(
    [{ call: { server: "own", tool: "x" }, with: {} }, { run: ["echo", "a b"] }, { say: "Done." }],
    {
      dir,
      launcher: { command: "sh", args: [sandbox, "-c"] },
      mcpServers: { own: { command: "node", args: [server] } },
      env: { JEEVES_LAUNCHER: '{"command":"false","args":[]}' },
    },
  );
  expect(outcome).toMatchObject({ status: "completed", toolCalls: 2, failedToolCalls: 0 });
  expect(dataOf(events, "agent.tool_result")).toMatchObject({ tool: "mcp:own/x", text: "from the sandbox" });
  expect(await readFile(seen, "utf8")).toBe(`node ${server}\necho 'a b'\n`);
});
