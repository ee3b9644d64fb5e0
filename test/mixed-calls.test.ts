// Everything that is asked of one server, mixed, some of it wrong, cancelled or killed: every call gets its own answer, and
// memory and descriptors stay as they were. Servers that are killed leave nothing running and lose nothing that they
// acknowledged. `npm run soak` makes 20,000 calls and 40 kills.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findSystemPerl, isRecord, PROC, readProcess } from "@jeeves/base";
import { expect, it, onTestFinished, vi } from "vitest";
import { isSoak, rounds } from "./soak-time.mjs";

const BIN = fileURLToPath(new URL("../packages/mcp-pruner/dist/index.js", import.meta.url));
const CALLS = isSoak ? 20_000 : 400;
const KILLS = isSoak ? 40 : 2;
const AT_ONCE = 8;
const TIMEOUT_MS = isSoak ? 300_000 : 120_000;
/** What a running server may use more at the end than after its first fifth: its heap breathes. */
const MORE_MIB = 48;
const QUESTION = { context_focus_question: "where is the connection refused?" };
const LOG = Array.from({ length: 1_500 }, (_, i) => `worker ${i * 7} took job ${i} from the queue of part ${i % 11}`);
const TEXT = `${[...LOG.slice(0, 700), "ERROR connection refused by host 9", ...LOG.slice(700)].join("\n")}\n`;
/** What stands in for an answer where a server is gone. */
const GONE = "gone";

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of a JSON-RPC error. */
  readonly code?: number;
}

interface Server {
  readonly child: ChildProcess;
  readonly pid: number;
  call(name: string, args: object): Promise<Answer>;
  /** Asks, and takes it back at once. */
  cancel(name: string, args: object): void;
  write(line: string): void;
}

function makePlace() {
  const root = mkdtempSync(join(tmpdir(), "jeeves-mixed-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  for (let i = 0; i < 20; i++) writeFileSync(join(root, `part-${i}.log`), TEXT.replaceAll("queue", `queue-${i}`));
  return root;
}

async function startServer(root: string): Promise<Server> {
  const state = join(root, ".state");
  const env = { PATH: process.env.PATH ?? "", HOME: root, JEEVES_STATE_DIR: state, PRUNER_ENGINE: "embedded" };
  const child = spawn(process.execPath, [BIN], { cwd: root, env, stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: unknown = JSON.parse(line);
    if (!isRecord(message) || typeof message.id !== "number") return;
    waiting.get(message.id)?.(toAnswer(message));
    waiting.delete(message.id);
  });
  child.once("exit", () => {
    for (const answer of waiting.values()) answer({ text: GONE, isError: true, fields: {} });
  });
  let last = 0;
  const write = (line: string) => void child.stdin.write(`${line}\n`);
  const send = (method: string, params: object) => {
    write(JSON.stringify({ jsonrpc: "2.0", id: ++last, method, params }));
    return last;
  };
  const ask = (method: string, params: object) =>
    new Promise<Answer>((resolve) => void waiting.set(send(method, params), resolve));
  const clientInfo = { name: "test", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return {
    child,
    pid: child.pid ?? 0,
    write,
    call: (name, args) => ask("tools/call", { name, arguments: args }),
    cancel(name, args) {
      const requestId = send("tools/call", { name, arguments: args });
      write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }));
    },
  };
}

function toAnswer({ result, error }: Readonly<Record<string, unknown>>): Answer {
  if (isRecord(error)) return { text: "", isError: true, fields: {}, code: Number(error.code) };
  const { content, structuredContent, isError } = isRecord(result) ? result : {};
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return {
    text: isRecord(first) && typeof first.text === "string" ? first.text : "",
    isError: isError === true,
    fields: isRecord(structuredContent) ? structuredContent : {},
  };
}

const pruneIdOf = ({ fields: { pruning } }: Answer) => (isRecord(pruning) ? String(pruning.prune_id) : "");
const errorOf = ({ fields: { error } }: Answer) => (isRecord(error) ? error.code : undefined);

/** One call of each kind, and what must be true of its answer. */
function mixOf(server: Server): readonly ((n: number) => Promise<void>)[] {
  const read = async (n: number) => {
    const { text } = await server.call("read", { file_path: `part-${n % 20}.log` });
    expect(text.length).toBe(TEXT.replaceAll("queue", `queue-${n % 20}`).length);
  };
  const readRange = async (n: number) => {
    const { text } = await server.call("read", { file_path: "part-1.log", start_line: 1 + (n % 700), end_line: 700 });
    expect(text).toContain("took job 699 ");
  };
  const recover = async (n: number) => {
    const cut = await server.call("read", { file_path: `part-${n % 20}.log`, ...QUESTION });
    expect(cut.text).toContain("ERROR connection refused by host 9");
    const id = pruneIdOf(cut);
    // The same read asked again gets everything, and then has no id.
    if (!id.startsWith("prn_")) return;
    const back = await server.call("recover_text", { prune_id: id, ranges: [{ start_line: 1, end_line: 1 }] });
    expect(back.text).toContain("took job 0 from");
  };
  return [
    ...[read, readRange, read, readRange, read, readRange, recover, recover],
    async () => expect(errorOf(await server.call("read", { file_path: "missing.log" }))).toBe("not_found"),
    async () => expect((await server.call("read", { file_path: "../outside" })).isError).toBe(true),
    async (n) => {
      const { fields } = await server.call("grep", { pattern: "connection refused", path: `part-${n % 20}.log` });
      expect(fields.match_count).toBe(1);
    },
    async () => expect(errorOf(await server.call("grep", { pattern: "a(" }))).toBe("rg_error"),
    async (n) => expect((await server.call("bash", { command: `echo ${n}` })).text).toBe(`${n}\n`),
    async () => expect((await server.call("bash", { command: "kill -9 $$" })).text).toContain("[exit code: 137]"),
    async () =>
      expect(await server.call("recover_text", { prune_id: "prn_aaaaaaaaaaaa" })).toMatchObject({ isError: true }),
    async () => expect((await server.call("nothing", {})).code).toBe(-32602),
    async () => expect((await server.call("read", { file_path: 7 })).code).toBe(-32602),
    async () => server.cancel("grep", { pattern: "job" }),
    async (n) => server.cancel("bash", { command: `setsid sleep ${100 + (n % 9)} & sleep 100` }),
    async () => server.write('{"jsonrpc": broken'),
  ];
}

/** What a process uses, as /proc has it. */
function useOf(pid: number): { readonly descriptors: number; readonly mib: number } {
  const pages = Number(readFileSync(`${PROC}/${pid}/statm`, "utf8").split(" ")[1]);
  return { descriptors: readdirSync(`${PROC}/${pid}/fd`).length, mib: (pages * 4096) / 1024 / 1024 };
}

/** When nothing is under way any more. */
async function restingUse(server: Server): Promise<{ readonly descriptors: number; readonly mib: number }> {
  let before = -1;
  await vi.waitFor(
    async () => {
      await server.call("read", { file_path: "part-0.log", end_line: 1 });
      const { descriptors } = useOf(server.pid);
      const isSame = descriptors === before;
      before = descriptors;
      expect(isSame).toBe(true);
    },
    { timeout: 30_000, interval: 500 },
  );
  return useOf(server.pid);
}

it(`a server answers ${CALLS} mixed calls, and uses no more memory and descriptors than before`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await startServer(makePlace());
  const mix = mixOf(server);
  const numbers = rounds(CALLS, { share: 0.7, what: "mixed calls" });
  let early: ReturnType<typeof useOf> | undefined;
  let made = 0;
  const work = async (until: number) => {
    while (made < until) {
      const next = numbers.next();
      if (next.done === true) return;
      made++;
      await mix[next.value % mix.length]?.(next.value);
    }
  };
  const workTo = (until: number) => Promise.all(Array.from({ length: AT_ONCE }, () => work(until)));
  await workTo(CALLS / 5);
  if (existsSync(PROC)) early = await restingUse(server);
  await workTo(CALLS);
  expect(server.child.exitCode).toBe(null);
  if (early === undefined) return;
  const late = await restingUse(server);
  if (isSoak) process.stderr.write(`soak: ${JSON.stringify({ early, late })}\n`);
  expect(late.descriptors).toBeLessThanOrEqual(early.descriptors + 2);
  expect(late.mib).toBeLessThan(early.mib + MORE_MIB);
});

const isRunning = (pid: number) => readProcess(pid)?.hasEnded === false;
const canContain = process.platform === "linux" && existsSync(PROC) && (await findSystemPerl()) !== undefined;
it.runIf(canContain)(
  `a server that is killed leaves nothing running and loses no text, ${KILLS} times`,
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    const root = makePlace();
    const ids = new Set<string>();
    for (const kill of rounds(KILLS, { share: 0.25, what: "kills of a server" })) {
      const server = await startServer(root);
      for (const id of ids) {
        const back = await server.call("recover_text", { prune_id: id });
        expect(back.text, id).toContain("ERROR connection refused by host 9");
      }
      const { text: pid } = await server.call("bash", { command: "setsid sleep 300 >/dev/null 2>&1 & echo $!" });
      const cut = await server.call("read", { file_path: `part-${kill % 20}.log`, ...QUESTION });
      ids.add(pruneIdOf(cut));
      const underWay = [
        server.call("bash", { command: `(setsid sleep 300 & echo $! > ${kill}.pid) ; sleep 300` }),
        server.call("grep", { pattern: "job" }),
      ];
      await vi.waitFor(() => expect(readFileSync(join(root, `${kill}.pid`), "utf8")).toMatch(/^\d+\n$/), {
        timeout: 20_000,
      });
      const gone = once(server.child, "exit");
      server.child.kill("SIGKILL");
      await Promise.all([gone, ...underWay]);
      const left = [pid, readFileSync(join(root, `${kill}.pid`), "utf8")].map(Number);
      expect(left.every((each) => each > 1)).toBe(true);
      await vi.waitFor(() => expect(left.filter(isRunning)).toEqual([]), { timeout: 20_000 });
    }
  },
);
