// sessions of clients without proof are bounded, also when they come by the thousand. `npm run soak` only: what is
// held after a few is counted in packages/kit/test/mcp/transports/mcp-route.test.ts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isSoak, rounds } from "./soak-time.mjs";

const BIN = fileURLToPath(new URL("../packages/mcp-pruner/dist/jeeves-mcp-pruner.js", import.meta.url));
const CLIENTS = 16;
const REQUESTS = 12_000;
/** Less than what those requests would hold if each left its few kilobytes behind. */
const HEAP_MIB = 64;

it.runIf(isSoak)(
  "X-55 a flood of initialize without proof leaves the server its memory",
  { timeout: 300_000 },
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "jeeves-flood-"));
    const args = [`--max-old-space-size=${HEAP_MIB}`, BIN, "--port", "0"];
    const env = { PATH: process.env.PATH ?? "", HOME: dir, JEEVES_STATE_DIR: join(dir, "state") };
    const server = spawn(process.execPath, args, { cwd: dir, env, stdio: ["ignore", "ignore", "pipe"] });
    const exit = once(server, "exit");
    const port = await new Promise<number>((resolve) => {
      createInterface({ input: server.stderr }).on("line", (line) => {
        if (line.includes('"mcp_pruner.ready"')) resolve(JSON.parse(line).data.port);
      });
    });
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      // With this header the client is not known by its uid.
      "x-forwarded-for": "127.0.0.1",
    };
    const initialize = async () => {
      const asked = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", agent, headers });
      asked.end(body);
      const [response] = await once(asked, "response");
      await once(response.resume(), "end");
      return response.statusCode;
    };
    try {
      const one = async () => {
        for (const _ of rounds(REQUESTS / CLIENTS, { what: "requests of a client" }))
          expect([200, 503]).toContain(await initialize());
      };
      await Promise.all(Array.from({ length: CLIENTS }, one));
      expect(server.exitCode).toBe(null);
    } finally {
      agent.destroy();
      server.kill();
      await exit;
      rmSync(dir, { recursive: true, force: true });
    }
  },
);
