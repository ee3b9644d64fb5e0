// One client of the storm, as a process of its own and as small as can be: it claims, logs, renews and releases on
// random tasks, over the haven's socket or with the command line, until it is told to stop. What it is about to do and
// what was acknowledged it writes down, one whole line at a time. A call that was cut off is not sent again.
import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const [way, target, record, agent, seed, taskCount] = process.argv.slice(2);
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
const note = (entry) => {
  const at = Number(process.hrtime.bigint() / 1_000_000n);
  appendFileSync(record, `${JSON.stringify({ agent, at, ...entry })}\n`);
};

/** Resolves with the answer, or undefined where the connection was lost. */
let line;
async function ask(params) {
  if (line?.socket.destroyed) line = undefined;
  while (line === undefined && !isStopping) line = await open();
  return line?.ask(params);
}

function open() {
  return new Promise((resolve) => {
    const socket = connect(target);
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

const overSocket = async (tool) => {
  const answer = await ask(tool);
  if (answer === undefined) return undefined;
  if (answer.error !== undefined) return { ok: false, error: JSON.stringify(answer.error) };
  const text = answer.result.content[0].text;
  return answer.result.isError === true ? { ok: false, error: text } : { ok: true };
};
const overCli = (argv) =>
  new Promise((resolve) => {
    execFile(process.execPath, [target, ...argv], (error, _out, err) =>
      resolve(error === null ? { ok: true } : { ok: false, error: error.code === 1 ? err : `${error.code} ${err}` }),
    );
  });

const held = new Set();
for (let count = 0; !isStopping; count++) {
  const dice = random(100);
  const any = `T${String(1 + random(Number(taskCount))).padStart(3, "0")}`;
  const mine = [...held];
  const own = mine[random(mine.length || 1)] ?? any;
  const id = `${process.pid}-${count}`;
  const cli = (command) => ({ name: "cli", arguments: { command } });
  const [op, task, argv, tool] =
    dice < 35
      ? [
          "claim",
          any,
          ["assign", "claim", any, "--quiet"],
          dice < 10 ? { name: "assign_claim", arguments: { task_id: any } } : cli(`assign claim ${any} --quiet`),
        ]
      : dice < 45
        ? ["renew", own, ["assign", "renew", own], cli(`assign renew ${own}`)]
        : dice < 65
          ? ["release", own, ["assign", "release", own, "--status", "todo"], cli(`assign release ${own} --status todo`)]
          : [
              "log",
              any,
              ["task", "log", any, `line ${id}`, "--tip"],
              { name: "task_log", arguments: { task_id: any, message: `line ${id}`, level: "tip" } },
            ];
  note({ step: "send", id, op, task });
  const outcome = way === "cli" ? await overCli(argv) : await overSocket(tool);
  if (op === "release") held.delete(own);
  if (outcome === undefined) note({ step: "lost", id, op, task });
  else note({ step: "ack", id, op, task, ...outcome });
  if (outcome?.ok === true && op === "claim") held.add(any);
}
note({ step: "end" });
process.exit(0);
