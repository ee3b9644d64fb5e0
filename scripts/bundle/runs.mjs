// How each program is run when it is compiled ahead: its start, and then the first thing that its clients want of it. The
// start comes alone: bytecode that it does not need would cost it memory.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "src.ts";
const QUESTION = "Where is the total of an order rounded?";

/**
 * A run of a program. `until`: what it prints on stderr when it may be stopped. `isAside`: another run needs it, and
 * it is not compiled ahead itself.
 * @typedef {{ program?: string, args?: string[], env?: NodeJS.ProcessEnv, input?: string, until?: RegExp, isAside?: boolean }} Run
 */

/** @returns {Run[]} of the program `name` in the directory `dir` */
export function runsOf(name, dir) {
  writeFileSync(join(dir, FILE), source());
  return RUNS[name]?.(dir) ?? [{ args: ["--help"] }];
}

/** Of the bytecode that programs share, the first of these decides: those that sessions wait for. */
export const FIRST = ["index.js", "rudder-server.js", "mcp-research.js", "jeeves-exec-cut.js", "jeeves-hook-cut.js"];

const RUNS = {
  "index.js": (dir) => {
    const env = { MCP_PRUNER_CWD: dir, PRUNER_ENGINE: "embedded" };
    const question = { context_focus_question: QUESTION };
    const calls = [call("read", { file_path: FILE, ...question }), call("grep", { pattern: "round", ...question })];
    return [opening(), [...opening(), ...calls]].map((messages) => ({ env, input: lines(messages) }));
  },
  "rudder-server.js": (dir) => {
    const env = { RUDDER_HAVEN: join(dir, "haven") };
    return [
      { program: "rudder.js", args: ["init"], env, isAside: true },
      { env, input: lines(opening()) },
      { env, input: lines([...opening(), call("status", {})]) },
    ];
  },
  "mcp-research.js": () => [{ input: lines(opening()) }],
  "jeeves-exec-cut.js": () => {
    const env = { JEEVES_EXEC_CLIENT: "claude-code", JEEVES_EXEC_COMMAND: "npm test", JEEVES_EXEC_CODE: "1" };
    return [{ env, input: log() }];
  },
  "jeeves-hook-cut.js": (dir) => {
    const event = {
      session_id: "jeeves-build",
      transcript_path: join(dir, "none.jsonl"),
      cwd: dir,
      hook_event_name: "AfterTool",
      tool_name: "run_shell_command",
      tool_input: { command: "npm test" },
      tool_response: { llmContent: `Output: ${log()}\nExit Code: 1`, returnDisplay: log() },
    };
    return [{ args: ["gemini"], input: JSON.stringify(event) }];
  },
  "rudder.js": (dir) => [{ args: ["status"], env: { RUDDER_HAVEN: join(dir, "haven") } }],
  "jeeves-mcp-pruner.js": () => [{ args: ["--port", "0"], until: /mcp_pruner\.ready/ }],
  "jeeves-pruner.js": () => [{ env: { MCP_PRUNER_PORT: "0" }, until: /pruner\.ready/ }],
};

function lines(messages) {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
}

function opening() {
  const clientInfo = { name: "jeeves-build", version: "1" };
  return [
    { id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 1, method: "tools/list", params: {} },
  ];
}

function call(name, args) {
  return { id: name, method: "tools/call", params: { name, arguments: args } };
}

/** Long enough to be cut. */
function source() {
  const functions = Array.from(
    { length: 120 },
    (_, n) => `
/** Step ${n} of an order. */
export function step${n}(order: { total: number; items: string[] }): number {
  const rounded = Math.round(order.total * ${n + 1}) / ${n + 1};
  if (order.items.length > ${n}) {
    return rounded + order.items.length;
  }
  return rounded;
}
`,
  );
  return functions.join("");
}

/** What a failing test run prints. */
function log() {
  const passed = Array.from({ length: 600 }, (_, n) => `  ok ${n} - step ${n} rounds its total\n`).join("");
  return `${passed}not ok 601 - rounds the total\n  Error: expected 12 to equal 13\n    at total (src.ts:12:3)\n${passed}`;
}
