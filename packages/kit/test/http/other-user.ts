// Another user of this machine: a process under another uid that sends given requests over HTTP or lines. Only root can
// start one; elsewhere `canBeOtherUser` is false, and tests prove a refusal by what a browser sends.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { PROC } from "@jeeves/base";

/** Whether this system tells whose a connection is; elsewhere the token is the only proof. */
export const tellsPeers = existsSync(`${PROC}/net/tcp`);

/** Of no real user: not root, not the kernel's overflow uid. */
export const OTHER = { uid: 65_533, gid: 65_533 } as const;

export interface HttpAsk {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SeenAnswer {
  readonly status: number;
  readonly text: string;
  readonly authenticate: string | null;
}

/** How a client leaves that does not wait for its answer. */
export type Leaving = "end" | "destroy" | "reset";

export interface OtherUser {
  ask(what: HttpAsk): Promise<SeenAnswer>;
  /**
   * What comes back for these bytes on a connection of their own. Its writing half is closed behind them, or, with
   * `lines`, once so many lines came back.
   */
  send(port: number, bytes: string, how?: { readonly lines: number }): Promise<string>;
  /** Connects so many times, sends the bytes and is gone at once. */
  sendAndLeave(port: number, bytes: string, how: { readonly times: number; readonly leaving: Leaving }): Promise<void>;
  close(): Promise<void>;
}

/** Runs as it stands in the child: it may use nothing from here. */
const PROGRAM = `
const http = require("node:http");
const net = require("node:net");
const acts = {
  ask: ({ port, path, method = "GET", headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const request = http.request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
        let text = "";
        const answer = () =>
          resolve({ status: response.statusCode, text, authenticate: response.headers["www-authenticate"] ?? null });
        response.setEncoding("utf8").on("data", (part) => {
          text += part;
          if (/event-stream/.test(response.headers["content-type"])) answer(), request.destroy();
        });
        response.on("end", answer);
      });
      request.on("error", reject).end(body);
    }),
  send: ({ port, bytes, lines = 0 }) =>
    new Promise((resolve, reject) => {
      let text = "";
      const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      const endWhenAnswered = () => text.split("\\n").length > lines && socket.end();
      socket.setEncoding("utf8").on("data", (part) => ((text += part), endWhenAnswered()));
      socket.on("error", reject).on("end", () => resolve(text));
      socket.write(bytes);
      endWhenAnswered();
    }),
  async leave({ port, bytes, times, leaving }) {
    for (let i = 0; i < times; i++) {
      await new Promise((resolve) => {
        const socket = net.connect({ port, host: "127.0.0.1" });
        socket.on("error", () => {}).on("close", resolve).resume();
        socket.once("connect", () => {
          if (leaving === "end") return socket.end(bytes, () => socket.destroy());
          socket.write(bytes, () => (leaving === "reset" ? socket.resetAndDestroy() : socket.destroy()));
        });
      });
    }
  },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, act, ...given } = JSON.parse(line);
  const value = await acts[act](given).then((value) => ({ value }), (error) => ({ error: String(error) }));
  process.stdout.write(JSON.stringify({ id, ...value }) + "\\n");
});
`;

export const canBeOtherUser =
  process.getuid?.() === 0 && spawnSync(process.execPath, ["-e", ""], { ...OTHER, cwd: "/", env: {} }).status === 0;

/** `as: "self"`: the same client under our own uid. */
export function startOtherUser(options: { readonly as?: "self" } = {}): OtherUser {
  const user = options.as === "self" ? {} : OTHER;
  const child = spawn(process.execPath, ["-e", PROGRAM], {
    ...user,
    cwd: "/",
    env: {},
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map<number, (answer: { readonly value?: unknown; readonly error?: string }) => void>();
  let last = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
  });
  const act = async (name: string, given: object) => {
    const id = ++last;
    const answered = new Promise<{ readonly value?: unknown; readonly error?: string }>((resolve) => {
      waiting.set(id, resolve);
    });
    child.stdin.write(`${JSON.stringify({ id, act: name, ...given })}\n`);
    const { value, error } = await answered;
    if (error !== undefined) throw new Error(error);
    return value as never;
  };
  return {
    ask: (what) => act("ask", what),
    send: (port, bytes, how) => act("send", { port, bytes, ...how }),
    sendAndLeave: (port, bytes, how) => act("leave", { port, bytes, ...how }),
    async close() {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}
