// Just enough of an MCP client to start a server, call its tools and notice its death: for the scripted agent, and for
// `jeeves setup`, which shows one call. Real agents bring their own.
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { startAgentProcess } from "../process/agent-process.ts";
import { readJsonLines } from "../process/json-lines.ts";
import type { McpServerConfig, ProviderRunOptions } from "../provider.ts";

const STOP_MS = 3_000;

/** A server that runs. */
export interface StdioServer {
  call(tool: string, args: unknown): Promise<ServerAnswer>;
  stop(): Promise<void>;
}

/** What a call was answered. */
interface ServerAnswer {
  readonly isError: boolean;
  readonly result: { readonly content: readonly unknown[] };
}

const reply = z.object({
  id: z.number(),
  result: z.looseObject({}).optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
const callResult = z.looseObject({ content: z.array(z.unknown()).default([]), isError: z.boolean().optional() });

/** Starts and initializes a server. Rejects where it ends first, or does not answer within `startMs`. */
export async function startStdioServer(
  server: McpServerConfig,
  options: ProviderRunOptions & { readonly startMs: number; readonly clientName?: string },
): Promise<StdioServer> {
  const { cwd, signal, onProcess } = options;
  const agent = startAgentProcess(
    { command: server.command, args: server.args ?? [], cwd, env: { ...options.env, ...server.env } },
    { signal, ...(onProcess === undefined ? {} : { onProcess }) },
  );
  const waiting = new Map<number, (answer: z.infer<typeof reply> | undefined) => void>();
  let isClosed = false;
  const close = () => {
    isClosed = true;
    for (const [, answer] of waiting) answer(undefined);
    waiting.clear();
  };
  agent.child.on("error", close);
  void listen().catch(close);

  async function listen(): Promise<void> {
    for await (const line of readJsonLines(agent.child.stdout)) {
      const said = line.kind === "value" ? reply.safeParse(line.value).data : undefined;
      if (said === undefined) continue;
      waiting.get(said.id)?.(said);
      waiting.delete(said.id);
    }
    close();
  }

  let nextId = 0;
  const send = (message: object) => void agent.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method: string, params: object) =>
    new Promise<z.infer<typeof reply> | undefined>((resolve) => {
      if (isClosed) return resolve(undefined);
      const id = ++nextId;
      waiting.set(id, resolve);
      send({ id, method, params });
    });

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), options.startMs);
  });
  const clientInfo = { name: options.clientName ?? "jeeves-scripted", version: "1" };
  const hello = request("initialize", { protocolVersion: "2025-06-18", clientInfo, capabilities: {} });
  const initialized = await Promise.race([hello, late]).finally(() => clearTimeout(timer));
  if (initialized?.result === undefined) {
    await agent.end();
    throw new Error(isClosed ? "Connection closed" : `no answer within ${options.startMs} ms`);
  }
  send({ method: "notifications/initialized" });

  return {
    async call(tool, args) {
      const answer = await request("tools/call", { name: tool, arguments: args });
      if (answer === undefined) return failure("Connection closed");
      if (answer.error !== undefined) return failure(`MCP error ${answer.error.code}: ${answer.error.message}`);
      const result = callResult.parse(answer.result);
      return { isError: result.isError === true, result };
    },
    async stop() {
      agent.child.stdin.end(); // servers end with their stdin, or are ended
      await Promise.race([agent.closed, delay(STOP_MS, undefined, { ref: false })]);
      await agent.end();
    },
  };
}

function failure(text: string): ServerAnswer {
  return { isError: true, result: { content: [{ type: "text", text }] } };
}
