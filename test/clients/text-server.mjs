// Another tool's MCP server: one tool, `fetch`, that returns the text of the file that TEXT_FILE names.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const tool = { name: "fetch", description: "Fetches the text.", inputSchema: { type: "object" } };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "text", version: "1" },
  }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": () => ({ content: [{ type: "text", text: readFileSync(process.env.TEXT_FILE, "utf8") }] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
});
