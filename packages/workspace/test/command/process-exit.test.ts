import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";
import { alias } from "../../../../scripts/bundle/alias.mjs";
import { scratchRoot } from "../scratch.ts";

const SERVER = `
  import { openRoot, runCommand } from "../../src/index.ts";
  const root = await openRoot(process.argv[2] ?? "");
  const baseEnv = { PATH: process.env.PATH, HOME: process.argv[2] + "/no-home" };
  await runCommand(root, { command: "sleep 300 & echo $! > child.pid", baseEnv, timeoutMs: 20000, maxBytes: 1000 });
  if (process.argv[3] === "throw") throw new Error("a bug");
`;

it.each(["end", "throw"])(
  "X-47 a server that comes to its %s leaves nothing running and is not held up",
  async (how) => {
    const { dir } = await scratchRoot();
    const outfile = join(dir, "server.mjs");
    buildSync({
      stdin: { contents: SERVER, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      alias: { ...alias },
      outfile,
      logLevel: "error",
    });
    const server = spawn(process.execPath, [outfile, dir, how], { stdio: "ignore" });
    const [code] = await once(server, "exit");
    expect(code).toBe(how === "end" ? 0 : 1);
    const status = `/proc/${readFileSync(join(dir, "child.pid"), "utf8").trim()}/status`;
    for (let i = 0; i < 500 && existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, "utf8")); i++)
      await delay(5);
    expect(existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, "utf8"))).toBe(false);
  },
);
