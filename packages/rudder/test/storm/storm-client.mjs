// One client of the storm, as a process of its own and as small as can be: it claims, logs, edits, renews and releases
// on random tasks, over the haven's socket, its port, or with the command line, until it is told to stop; late releases
// and edits of what it held before are sent on purpose. What it asks and what it was answered it writes down, one whole
// line at a time, with the machine's monotonic clock. Most calls that were cut off are sent again under their id.
import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const [way, target, record, agent, seed, taskCount, preload] = process.argv.slice(2);
let state = (Number(seed) * 2_654_435_761) >>> 0 || 1;
const random = (below) => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % below;
};
let isStopping = false;
process.once("SIGTERM", () => {
  isStopping = true;
});
const monotonicMs = () => Number(process.hrtime.bigint() / 1_000n) / 1_000;
const note = (entry) => appendFileSync(record, `${JSON.stringify({ agent, at: monotonicMs(), ...entry })}\n`);

/** Resolves with the answer, or undefined where the connection was lost. */
let line;
async function ask(params) {
  if (line?.socket.destroyed) line = undefined;
  while (line === undefined && !isStopping) line = await open();
  return line?.ask(params);
}

function open() {
  return new Promise((resolve) => {
    const socket = way === "tcp" ? connect({ host: "127.0.0.1", port: Number(target) }) : connect(target);
    let waiting;
    let rest = "";
    let id = 0;
    const lost = () => {
      waiting?.(undefined);
      resolve(delay(100 + random(200)).then(() => undefined));
    };
    socket
      .setEncoding("utf8")
      .on("error", () => {})
      .on("close", lost);
    socket.on("data", (chunk) => {
      rest += chunk;
      const end = rest.indexOf("\n");
      if (end < 0) return;
      const answer = JSON.parse(rest.slice(0, end));
      rest = rest.slice(end + 1);
      waiting?.(answer);
    });
    socket.on("connect", () => {
      // As the bridge does: the name lasts, the connection does not.
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", method: "rudder/caller", params: { name: agent } })}\n`);
      resolve({
        socket,
        ask: (params) =>
          new Promise((answered) => {
            waiting = (answer) => {
              waiting = undefined;
              answered(answer);
            };
            id += 1;
            socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
          }),
      });
    });
  });
}

const overSocket = async (tool, operation) => {
  const answer = await ask({ ...tool, _meta: { "jeeves/operation": operation } });
  if (answer === undefined) return undefined;
  if (answer.error !== undefined) return { ok: false, text: JSON.stringify(answer.error) };
  return { ok: answer.result.isError !== true, text: answer.result.content[0].text.slice(0, 300) };
};
const overCli = (argv) =>
  new Promise((resolve) => {
    execFile(process.execPath, ["--import", preload, target, ...argv], (error, out, err) =>
      resolve(
        error === null
          ? { ok: true, text: out.slice(0, 300) }
          : { ok: false, text: error.code === 1 ? err.replace(/^rudder: /, "") : `${error.code} ${err}` },
      ),
    );
  });

const held = new Set();
const before = new Set();
const any = () => `T${String(1 + random(Number(taskCount))).padStart(3, "0")}`;
const oneOf = (set) => [...set][random(set.size || 1)] ?? any();
for (let count = 0; !isStopping; count++) {
  const dice = random(100);
  const id = `${process.pid}-${count}`;
  const cli = (argv) => [
    argv,
    { name: "cli", arguments: { command: argv.map((word) => (/ /.test(word) ? `"${word}"` : word)).join(" ") } },
  ];
  let op, task, argv, tool;
  if (dice < 34) {
    [op, task] = ["claim", any()];
    [argv, tool] = cli(["assign", "claim", task, "--quiet"]);
    if (dice < 8) tool = { name: "assign_claim", arguments: { task_id: task } };
  } else if (dice < 42) {
    [op, task] = ["renew", oneOf(held)];
    [argv, tool] = cli(["assign", "renew", task]);
  } else if (dice < 60) {
    // Also of what was held before: its lease may have ended, and the task may be another's.
    [op, task] = ["release", dice < 52 ? oneOf(held) : oneOf(before)];
    [argv, tool] = cli(["assign", "release", task, "--status", "todo"]);
  } else if (dice < 78) {
    [op, task] = ["edit", dice < 66 ? oneOf(held) : oneOf(before)];
    [argv, tool] = cli(["artifact", "edit", task, "--section", "Notes", "--append", `edit ${id}.`]);
  } else {
    [op, task] = ["log", dice < 90 ? any() : oneOf(before)];
    argv = ["task", "log", task, `line ${id}.`, "--tip"];
    tool = { name: "task_log", arguments: { task_id: task, message: `line ${id}.`, level: "tip" } };
  }
  note({ step: "send", id, op, task });
  let outcome = way === "cli" ? await overCli(argv) : await overSocket(tool, id);
  const isSentAgain = random(5) > 0;
  for (let tries = 0; outcome === undefined && isSentAgain && tries < 50 && !isStopping; tries++) {
    note({ step: "again", id, op, task });
    outcome = await overSocket(tool, id);
  }
  if (op === "release") held.delete(task);
  if (outcome === undefined) note({ step: "lost", id, op, task });
  else note({ step: "ack", id, op, task, ...outcome });
  if (outcome?.ok === true && op === "claim") held.add(task);
  if (op === "claim" || op === "release") before.add(task);
  if (before.size > 6) before.delete([...before][0]);
  // Each of its commands is a process: the others want some of the machine, too.
  if (way === "cli") await delay(700);
  // Once in a while it does nothing for longer than a lease lasts, and then goes on as if nothing had happened.
  if (random(60) === 0) await delay(3_500);
}
note({ step: "end" });
process.exit(0);
