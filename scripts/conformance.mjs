// `npm run conformance`: the MCP conformance suite and the inspector against the built servers. Both need a newer Node
// than we do and live outside the workspaces, so they, and the Node that runs them, are installed in test/conformance.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { serveBehindPort } from "./conformance-stdio.mjs";
import { ensureBuilt, ensureInstalled, root, say } from "./setup.mjs";

const dir = join(root, "test", "conformance");
const installed = (...parts) => join(dir, "node_modules", ...parts);
const NODE = installed("node", "bin", "node");
const SUITE = installed("@modelcontextprotocol", "conformance", "dist", "index.js");
const INSPECTOR = installed("@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js");
const bin = (name, file) => join(root, "packages", name, "dist", file);
const STEP_TIMEOUT_MS = 120_000;

// The scenarios that need no tools, prompts or resources of their own.
const SCENARIOS = [
  ["server-initialize", "2025-06-18"],
  ["server-initialize", "2025-11-25"],
  ["server-session-lifecycle", "2025-03-26"],
  ["server-session-lifecycle", "2025-06-18"],
  ["server-session-lifecycle", "2025-11-25"],
  ["ping", "2025-06-18"],
  ["ping", "2025-11-25"],
  ["tools-list", "2025-06-18"],
  ["tools-list", "2025-11-25"],
  ["tools-list", "2026-07-28"],
  ["server-stateless", "2026-07-28"],
  ["dns-rebinding-protection", "2025-11-25"],
  ["dns-rebinding-protection", "2026-07-28"],
  ["server-sse-multiple-streams", "2025-11-25"],
  ["server-sse-multiple-streams", "2026-07-28"],
  ["http-header-validation", "2026-07-28"],
  ["input-required-result-unsupported-methods", "2026-07-28"],
];
// Of these, what is not about HTTP. A connection keeps its era, so each gets a server of its own.
const STDIO_SCENARIOS = SCENARIOS.filter(([scenario]) =>
  ["server-initialize", "ping", "tools-list"].includes(scenario),
);
// Calls the first tool without arguments and wants a result. `read` needs a file and answers -32602; that blanks around
// a name are accepted is shown in packages/kit/test/mcp/transports/mcp-route.test.ts.
const EXCUSED = { check: "sep-2243-server-accepts-whitespace-header-value", because: '"code":-32602' };

ensureInstalled();
ensureBuilt();
ensureInstalled(dir);

const scratch = mkdtempSync(join(tmpdir(), "jeeves-conformance-"));
const env = {
  PATH: process.env.PATH,
  HOME: scratch,
  JEEVES_STATE_DIR: join(scratch, "state"),
  PRUNER_ENGINE: "embedded",
};
const children = [];
let failures = 0;
try {
  const tools = await startServer(bin("mcp-pruner", "jeeves-mcp-pruner.js"), ["--root", scratch], "mcp_pruner.ready");
  const pruner = await startServer(bin("pruner-service", "jeeves-pruner.js"), ["--port", "0"], "pruner.ready");
  for (const [scenario, version] of SCENARIOS) await runScenario(scenario, version, `${tools}/mcp`);
  for (const [scenario, version] of STDIO_SCENARIOS) {
    const server = await serveBehindPort(process.execPath, [bin("mcp-pruner", "index.js")], { env, cwd: scratch });
    await runScenario(scenario, version, server.url, "stdio");
    await server.stop();
  }
  await inspect("jeeves-mcp-pruner", [`${tools}/mcp`, "--transport", "http"]);
  await inspect("jeeves-pruner", [`${pruner}/rpc`, "--transport", "http"]);
  await inspect("mcp-pruner", [process.execPath, bin("mcp-pruner", "index.js")]);
  await inspect("mcp-research", [process.execPath, bin("research", "mcp-research.js"), "--root", scratch]);
  await inspect("rudder-server", [process.execPath, bin("rudder", "rudder-server.js")]);
} finally {
  for (const child of children) child.kill("SIGTERM");
  rmSync(scratch, { recursive: true, force: true });
}
say(failures === 0 ? "conformance: all passed" : `conformance: ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);

async function startServer(file, args, readyEvent) {
  const child = spawn(process.execPath, [file, ...args], { env, cwd: scratch, stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  const address = new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const { event, data } = JSON.parse(line);
      if (event === readyEvent) resolve(`http://${data.host}:${data.port}`);
    });
    child.once("exit", (code) => reject(new Error(`${file} exited with ${code}`)));
  });
  return address;
}

async function runScenario(scenario, version, url, carrier = "HTTP") {
  const output = join(scratch, `${carrier}-${scenario}-${version}`);
  const args = [SUITE, "server", "--url", url, "--scenario", scenario, "--spec-version", version, "-o", output];
  const { code, text } = await run(args);
  const checks = readChecks(output);
  const failed = checks.filter((check) => check.status === "FAILURE");
  // A check that would need a tool of the suite's own says so.
  const isExcused = (check) =>
    check.details?.untestable === true ||
    (check.id === EXCUSED.check && JSON.stringify(check).includes(EXCUSED.because.replaceAll('"', '\\"')));
  const wrong = failed.filter((check) => !isExcused(check));
  // A run without checks has shown nothing, whatever its exit code.
  const passed =
    checks.some((check) => check.status === "SUCCESS") && wrong.length === 0 && (code === 0 || failed.length > 0);
  const excused = failed.length - wrong.length;
  report(
    passed,
    `${scenario} (${version}) over ${carrier}${excused > 0 ? `, ${excused} of ${checks.length} checks excused` : ""}`,
    passed ? "" : text,
  );
}

function readChecks(output) {
  try {
    const [file] = readdirSync(output, { recursive: true }).filter((name) => name.endsWith("checks.json"));
    return JSON.parse(readFileSync(join(output, file), "utf8"));
  } catch {
    return [];
  }
}

async function inspect(name, target) {
  const { code, text } = await run([INSPECTOR, "--cli", ...target, "--method", "tools/list", "--strict"]);
  report(code === 0 && text.includes('"tools"'), `inspector --strict, ${name}`, text);
}

/** Bounded; the output is kept for when something is wrong. */
async function run(args) {
  const child = spawn(NODE, args, { env, cwd: scratch, stdio: ["ignore", "pipe", "pipe"], timeout: STEP_TIMEOUT_MS });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
  }
  const [code] = await once(child, "close");
  return { code, text };
}

function report(passed, what, details) {
  process.stdout.write(`${passed ? "ok    " : "FAILED"} ${what}\n`);
  if (passed) return;
  failures += 1;
  process.stdout.write(`${details}\n`);
}
