// A server that lives on sees what a person archives, restores and removes beside it.
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { projectForTest } from "../haven-under-test.ts";
import { openClient, startServer } from "../mcp/server-under-test.ts";

it("X-66 a running server shows archived work, and lists it no more; what is restored is listed again", async () => {
  const test = await projectForTest(3);
  const socket = join(test.dir, "mcp.sock");
  const server = startServer(test, ["--socket", socket]);
  onTestFinished(async () => {
    await server.stop();
  });
  await server.said("Rudder MCP Server started");
  const client = await openClient({ path: socket });
  onTestFinished(() => client.close());
  const list = async () => (await client.call("cli", { command: "task list" })).text;
  expect(await list()).toContain("T002");
  await test.bin(["task", "done", "T002"]);
  expect((await test.bin(["archive", "T002", "--apply"])).code).toBe(0);
  expect(await list()).not.toContain("T002");
  expect((await client.call("task_show", { task_id: "T002" })).text).toContain("rudder archive --restore T002");
  expect(await client.call("task_log", { task_id: "T002", message: "late" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("T002 is archived"),
  });
  expect((await client.call("cli", { command: "search number 2." })).text).toContain("(archived)");
  await test.bin(["archive", "--restore", "T002"]);
  expect(await list()).toContain("T002");
  await test.bin(["task", "remove", "T003"]);
  expect(await list()).not.toContain("T003");
  expect((await client.call("task_show", { task_id: "T003" })).text).toContain("there is no T003");
  expect((await client.call("cli", { command: "task create E001 Next" })).text).toContain("T004");
});
