import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** In a directory that is taken away before the program starts. */
function runWhereNothingIs(bin: string, args: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), "jeeves-gone-"));
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  const command = ["-c", script, "sh", dir, process.execPath, join(packages, bin), ...args];
  const env = { PATH: process.env.PATH, HOME: join(dir, "home"), JEEVES_STATE_DIR: join(dir, "state") };
  return spawnSync("/bin/sh", command, { env, encoding: "utf8", input: "", timeout: 20_000 });
}

describe("Bad input: the current directory was deleted", () => {
  it.each([
    ["cli/dist/jeeves.js", ["doctor"], 1],
    ["cli/dist/jeeves.js", ["research", "what is this"], 1],
    ["cli/dist/jeeves.js", ["init", "claude-code"], 1],
    ["cli/dist/jeeves.js", ["serve", "--port", "0"], 1],
    ["mcp-pruner/dist/index.js", [], 2],
    ["rudder/dist/rudder.js", ["status"], 2],
    ["rudder/dist/rudder-server.js", [], 2],
    ["research/dist/mcp-research.js", [], 2],
  ] as const)("%s %j says so", (bin, args, exitCode) => {
    const { status, stdout, stderr } = runWhereNothingIs(bin, args);
    expect({ status, stdout }).toEqual({ status: exitCode, stdout: "" });
    expect(stderr).toContain("the current directory no longer exists");
    expect(stderr).not.toContain("    at ");
  });

  it("jeeves-mcp-pruner names the setting that would help", () => {
    const { status, stderr } = runWhereNothingIs("mcp-pruner/dist/jeeves-mcp-pruner.js", ["--port", "0"]);
    expect(status).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ data: { name: "JEEVES_MCP_PRUNER_ROOT_DIR", value: "." } });
  });
});
