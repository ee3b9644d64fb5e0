// A server on stdio behind a port, for a suite that speaks HTTP alone: each request becomes a line on stdin, and the
// line with its id the answer. It adds and checks nothing, so the suite tests the server itself.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

/** Starts the command; `url` is where the suite finds it, `stop` ends both. */
export async function serveBehindPort(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const message = JSON.parse(body);
    const answered = new Promise((resolve) => {
      if (message.id === undefined) resolve(undefined);
      else waiting.set(message.id, resolve);
    });
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const answer = await answered;
    if (answer === undefined) return response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    async stop() {
      server.closeAllConnections();
      server.close();
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
