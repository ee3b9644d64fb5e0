// An OpenAI-compatible server that answers as it is told: on loopback, for the model's path.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeModel {
  readonly url: string;
  readonly prompts: { readonly system: string; readonly user: string; readonly model: string }[];
  /** How many calls were open at once, at most. */
  readonly most: () => number;
  close(): Promise<void>;
}

export type Reply = (
  prompt: string,
) => Promise<{ readonly status?: number; readonly text: string; readonly raw?: string }>;

export async function startFakeModel(reply: Reply): Promise<FakeModel> {
  const prompts: { system: string; user: string; model: string }[] = [];
  let open = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    if (request.url === "/v1/models") return void response.end(JSON.stringify({ data: [{ id: "local-model" }] }));
    let body = "";
    for await (const chunk of request) body += chunk;
    const { messages, model } = JSON.parse(body);
    prompts.push({ system: messages[0].content, user: messages[1].content, model });
    open++;
    most = Math.max(most, open);
    const { status = 200, text, raw } = await reply(messages[1].content);
    open--;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(raw ?? JSON.stringify({ choices: [{ message: { role: "assistant", content: text } }] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    prompts,
    most: () => most,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
