// The plainest server that could do jeeves-pruner's main job: node:http, the engine in one thread, one answer for all,
// given in the environment. No checks, no store, no events, no time limit: the least that any such server costs.
import { createServer } from "node:http";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

if (isMainThread) listen();
else await serveCuts();

function listen() {
  const worker = new Worker(new URL(import.meta.url), { workerData: JSON.parse(process.env.ENGINE) });
  const { result } = JSON.parse(process.env.ANSWER);
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { id, params } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    const done = new Promise((resolve) => worker.once("message", resolve));
    worker.postMessage({ text: params.arguments.text, focus: params.arguments.goal_hint });
    await done;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result }));
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
}

async function serveCuts() {
  const { prune } = await import(workerData.index);
  const { createTreeSitterGrammars } = await import(workerData.grammars);
  const how = { ...workerData.how, grammars: createTreeSitterGrammars() };
  parentPort.on("message", async ({ text, focus }) => {
    const { blocks } = await prune(text, { focus, ...how });
    parentPort.postMessage(blocks);
  });
}
