// An MCP client that reads a file with a question: node mcp-client.mjs FILE "QUESTION"
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [file_path, context_focus_question] = process.argv.slice(2);
const server = fileURLToPath(new URL("../packages/mcp-pruner/dist/index.js", import.meta.url));
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [server],
    env: { ...process.env, MCP_PRUNER_CWD: process.cwd() },
  }),
);
const { content } = await client.callTool({ name: "read", arguments: { file_path, context_focus_question } });
console.log(content[0].text);
await client.close();
