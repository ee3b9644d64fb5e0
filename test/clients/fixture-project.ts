// A project in a temporary directory, the same every time: a long source file with one answer in it, a long test log
// with one failure in it, and a home for the client. The raw texts are computed here, without the server's help.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ANSWER, FOCUS, makeSource } from "../../bench/made-source.mjs";
import type { McpServer } from "./agent.ts";

const MCP_PRUNER = fileURLToPath(new URL("../../packages/mcp-pruner/dist/index.js", import.meta.url));

/** One call whose output is long, with everything that a test wants to know about it. */
export interface LongOutput {
  readonly tool: "read" | "grep" | "bash";
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The whole output, line by line, before any cut. */
  readonly rawLines: readonly string[];
  /** A line that must not be dropped: it answers the question. */
  readonly answer?: string;
  /** Lines that the tool adds behind the output. */
  readonly trailer: readonly string[];
}

export interface FixtureProject {
  readonly root: string;
  readonly home: string;
  readonly server: McpServer;
  readonly smallFile: { readonly path: string; readonly text: string };
  /** Asked with a question. */
  readonly longOutputs: readonly LongOutput[];
  /** Asked without one, and longer than any client displays. */
  readonly hugeOutputs: readonly LongOutput[];
  remove(): Promise<void>;
}

export async function createFixtureProject(): Promise<FixtureProject> {
  const dir = await mkdtemp(join(tmpdir(), "jeeves-clients-"));
  const root = join(dir, "project");
  const home = join(dir, "home");
  await mkdir(join(root, "src"), { recursive: true });
  await mkdir(home);
  const source: string = makeSource({ functionCount: 60 });
  const log = makeTestLog();
  const small = '{ "name": "délivery", "private": true }\n';
  await writeFile(join(root, "src", "service.ts"), source);
  await writeFile(join(root, "test.log"), log);
  await writeFile(join(root, "package.json"), small);
  return {
    root,
    home,
    server: {
      command: process.execPath,
      args: [MCP_PRUNER],
      env: {
        MCP_PRUNER_CWD: root,
        JEEVES_STATE_DIR: join(dir, "state"),
        // Whatever listens on the default address of a remote pruner has no part in this test.
        PRUNER_ENGINE: "embedded",
      },
    },
    smallFile: { path: "package.json", text: small },
    longOutputs: [readCall(source), grepCall(source), bashCall(log)],
    hugeOutputs: [hugeCall({ exitCode: 0 }), hugeCall({ exitCode: 1 })],
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

function readCall(source: string): LongOutput {
  return {
    tool: "read",
    arguments: { file_path: "src/service.ts", context_focus_question: FOCUS },
    rawLines: toLines(source),
    answer: `  ${ANSWER}`,
    trailer: [],
  };
}

/** Every line that writes to the log; the question is about one of them. */
function grepCall(source: string): LongOutput {
  const rawLines = toLines(source).flatMap((text, index) => {
    const column = text.search(/log\.|rows/) + 1;
    return column > 0 ? [`src/service.ts:${index + 1}:${column}:${text}`] : [];
  });
  const asked = rawLines.find((line) => line.includes("no voucher with this country"));
  if (asked === undefined) throw new Error("the made source no longer says what this test asks for");
  return {
    tool: "grep",
    arguments: {
      pattern: "log\\.|rows",
      path: "src",
      context_focus_question: 'Where is "no voucher with this country" written to the log?',
    },
    rawLines,
    answer: asked,
    trailer: [],
  };
}

/** a failing test run keeps its failure, and its exit code. */
function bashCall(log: string): LongOutput {
  return {
    tool: "bash",
    arguments: { command: "cat test.log; exit 1", context_focus_question: "Which test failed, and why?" },
    rawLines: toLines(log),
    answer: FAILURE[1] ?? "",
    trailer: ["[exit code: 1]"],
  };
}

function hugeCall({ exitCode }: { readonly exitCode: number }): LongOutput {
  const rawLines = Array.from({ length: HUGE_LINE_COUNT }, (_, index) => `row ${index + 1}`);
  return {
    tool: "bash",
    arguments: { command: `for i in $(seq 1 ${HUGE_LINE_COUNT}); do echo "row $i"; done; exit ${exitCode}` },
    rawLines,
    trailer: exitCode === 0 ? [] : [`[exit code: ${exitCode}]`],
  };
}

const HUGE_LINE_COUNT = 8_000;

const FAILURE = [
  " FAIL  test/delivery.test.ts > a failed delivery waits before it is tried again",
  "AssertionError: expected 120000 to be less than or equal to 60000",
  "    at test/delivery.test.ts:41:27",
];

function makeTestLog(): string {
  const lines = ["> delivery@1.0.0 test", "> vitest run", ""];
  for (let index = 1; index <= 400; index++) {
    lines.push(
      ` ✓ test/area-${index % 23}.test.ts > case ${index} of the ${index % 7 === 0 ? "slow" : "quick"} kind ${index % 13}ms`,
    );
    if (index === 250) lines.push("", ...FAILURE, "");
  }
  lines.push("", " Test Files  1 failed | 23 passed (24)", "      Tests  1 failed | 400 passed (401)");
  return `${lines.join("\n")}\n`;
}

function toLines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
