// The server of a haven with 5,000 tasks under 1, 10 and 50 clients on one socket: claims and logs per second, how long
// a log takes, questions about everything, and memory; beside a bare line server and a bare pipe in the same run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/setup.mjs";
import { median, print, printFigure } from "./figures.mjs";

const CLIENTS = [1, 10, 50];
const SECONDS = 4;
const MAX_LOG_P99_MS = 20;
const MIN_CLAIMS = 300;
const MAX_OVERVIEW_MS = 300;
const MAX_SHOW_MS = 50;
const MAX_SERVER_MB = 150;
const MAX_BRIDGE_RATIO = 1.15;
const dist = join(root, "packages", "rudder", "dist");

/** What every line server pays: parse a line, append one to a file, answer. */
const BARE_SERVER = `import { openSync, writeSync } from "node:fs"; import { createServer } from "node:net";
const log = openSync(process.argv[3], "a");
createServer((socket) => { let rest = ""; socket.on("error", () => {}).on("data", (chunk) => { const lines = (rest + chunk).split("\\n"); rest = lines.pop();
  for (const line of lines) { const { id, params } = JSON.parse(line); if (params.arguments) writeSync(log, params.arguments.message + "\\n"); socket.write(JSON.stringify({ jsonrpc: "2.0", id, result: {} }) + "\\n"); } }); }).listen(process.argv[2]);
`;
const BARE_PIPE = `import { connect } from "node:net";
const socket = connect(process.argv[2]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
`;

/** @param {{ dir: string, env: NodeJS.ProcessEnv, rounds: number, taskCount: number }} options */
export async function benchServer({ dir, env, rounds, taskCount }) {
  const socket = join(env.RUDDER_HAVEN, "mcp.sock");
  const server = await started([join(dist, "rudder-server.js"), "--socket", socket, "--project-root", dir], {
    dir,
    env,
    socket,
  });
  const bareSocket = join(dir, "bare.sock");
  writeFileSync(join(dir, "bare-server.mjs"), BARE_SERVER);
  const bare = await started([join(dir, "bare-server.mjs"), bareSocket, join(dir, "bare.log")], {
    dir,
    env,
    socket: bareSocket,
  });
  try {
    print(`one server, ${taskCount} tasks: medians of ${rounds} calls on one connection`);
    const one = await openClient(socket);
    const overview = { unit: " ms", digits: 1, atMost: MAX_OVERVIEW_MS };
    const times = (name, args) => rounded(rounds, () => one.call(name, args));
    await times("status", {});
    printFigure("status", await times("status", {}), overview);
    printFigure("cli deps ready", await times("cli", { command: "deps ready" }), overview);
    printFigure("task_show", await times("task_show", { task_id: "T042" }), { ...overview, atMost: MAX_SHOW_MS });
    printFigure("context_load", await times("context_load", { operation: "T042" }), { unit: " ms", digits: 1 });
    one.close();
    print();
    print(`calls per second over one socket, ${SECONDS} s each, every client asking again as soon as it is answered`);
    let claimed = 250; // behind those that processes have claimed
    for (const count of CLIENTS) {
      const words = count === 1 ? "1 client" : `${count} clients`;
      // Node takes one connection in each turn of its loop, behind the calls of those that it has taken before.
      const first = await firstAnswers(socket, count);
      printFigure(`the last of ${words} that come at once is answered after`, first, { unit: " ms", digits: 0 });
      const cpuBefore = cpuMs(server.pid);
      const logs = await load(socket, count, (n) => [
        "task_log",
        { task_id: `T${1 + (n % 200)}`, message: `line ${n}` },
      ]);
      const logMs = (cpuMs(server.pid) - cpuBefore) / logs.calls;
      printFigure(`task_log, ${words}`, logs.perSecond, { unit: " /s", digits: 0 });
      const p99 = { unit: " ms", digits: 1, ...(count === 50 ? { atMost: MAX_LOG_P99_MS } : {}) };
      printFigure(`task_log p99, ${words}`, logs.p99, p99);
      // A call waits for those before it: what a machine with nothing else to do would show is about clients x this.
      printFigure(`task_log, CPU of a call, ${words}`, logMs, { unit: " ms", digits: 3 });
      if (count === 50)
        printFigure("load of the machine, for the p99 above", loadavg()[0], {
          unit: ` on ${availableParallelism()} cores`,
          digits: 1,
        });
      const same = await load(bareSocket, count, (n) => ["x", { message: `line ${n}` }]);
      printFigure(`bare line server, ${words}`, same.perSecond, { unit: " /s", digits: 0 });
      const last = (taskCount / 2) * ((CLIENTS.indexOf(count) + 1) / CLIENTS.length);
      const claims = await load(socket, count, () =>
        claimed < last ? ["assign_claim", { task_id: `T${2 * claimed++}` }] : undefined,
      );
      const atLeast = count === 1 ? {} : { atLeast: MIN_CLAIMS };
      printFigure(`assign_claim (with its context), ${words}`, claims.perSecond, {
        unit: " /s",
        digits: 0,
        ...atLeast,
      });
    }
    print();
    await memory({ socket, dir, env, server });
  } finally {
    for (const child of [server, bare]) await ended(child);
  }
}

async function memory({ socket, dir, env, server }) {
  print("memory");
  const clients = await Promise.all(Array.from({ length: 50 }, () => openClient(socket)));
  await Promise.all(clients.map((client) => client.call("task_log", { task_id: "T042", message: "hello" })));
  printFigure("server with 50 clients", rssMb(server.pid), { unit: " MB", digits: 0, atMost: MAX_SERVER_MB });
  for (const client of clients) client.close();
  writeFileSync(join(dir, "pipe.mjs"), BARE_PIPE);
  const ours = [];
  const theirs = [];
  for (let round = 0; round < 5; round++) {
    ours.push(await pipeMb([join(dist, "rudder-bridge.js"), socket], { dir, env }));
    theirs.push(await pipeMb([join(dir, "pipe.mjs"), socket], { dir, env }));
  }
  printFigure("rudder-bridge", median(ours), { unit: " MB", digits: 1 });
  printFigure("a bare pipe of four lines", median(theirs), { unit: " MB", digits: 1 });
  printFigure("ratio", median(ours) / median(theirs), { atMost: MAX_BRIDGE_RATIO });
}

/** After one answer has gone through it. */
async function pipeMb(argv, { dir, env }) {
  const child = spawn(process.execPath, argv, { cwd: dir, env, stdio: ["pipe", "pipe", "inherit"] });
  try {
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await once(child.stdout, "data");
    return rssMb(child.pid);
  } finally {
    await ended(child);
  }
}

async function firstAnswers(socket, count) {
  const from = performance.now();
  const clients = await greeted(socket, count);
  const ms = performance.now() - from;
  for (const client of clients) client.close();
  return ms;
}

/** Clients that have introduced themselves, as every client does before its first call. */
async function greeted(socket, count) {
  const clients = await Promise.all(Array.from({ length: count }, () => openClient(socket)));
  await Promise.all(clients.map((client) => client.greet()));
  return clients;
}

async function load(socket, count, next) {
  const clients = await greeted(socket, count);
  const took = [];
  const from = performance.now();
  let n = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - from < SECONDS * 1000) {
        const sent = performance.now();
        const asked = next(n++);
        if (asked === undefined) return; // nothing is left to ask for
        await client.call(...asked);
        took.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - from) / 1000;
  for (const client of clients) client.close();
  took.sort((a, b) => a - b);
  return {
    calls: took.length,
    perSecond: took.length / seconds,
    p99: took[Math.floor(took.length * 0.99)] ?? Number.NaN,
  };
}

async function rounded(rounds, act) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    await act();
    times.push(performance.now() - from);
  }
  return median(times);
}

export async function openClient(path) {
  const socket = connect(path);
  await once(socket, "connect");
  const waiting = new Map();
  let rest = "";
  let id = 0;
  socket.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line);
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  const ask = (method, params) =>
    new Promise((done) => {
      id += 1;
      waiting.set(id, done);
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  return {
    greet: () =>
      ask("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      }),
    async call(name, args) {
      const answer = await ask("tools/call", { name, arguments: args });
      if (answer.result?.isError) throw new Error(answer.result.content[0].text);
      return answer.result;
    },
    close: () => socket.destroy(),
  };
}

export async function started(argv, { dir, env, socket }) {
  const child = spawn(process.execPath, argv, { cwd: dir, env, stdio: ["ignore", "ignore", "ignore"] });
  for (let attempt = 0; attempt < 400; attempt++) {
    const probe = connect(socket);
    const isOpen = await new Promise((done) =>
      probe.once("connect", () => done(true)).once("error", () => done(false)),
    );
    probe.destroy();
    if (isOpen) return child;
    await new Promise((next) => setTimeout(next, 25));
  }
  child.kill("SIGKILL");
  throw new Error(`nothing listens on ${socket}`);
}

export async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, "exit");
  child.kill("SIGTERM");
  await end;
}

/** What the threads of a process were on a processor for. */
export function cpuMs(pid) {
  return (
    readdirSync(`/proc/${pid}/task`).reduce(
      (sum, id) => sum + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
      0,
    ) / 1e6
  );
}

export function rssMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;
}
