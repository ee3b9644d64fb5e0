// The bridge: stdin and stdout of an agent's MCP client, carried to a socket. It understands nothing of what it
// carries and loads nothing but Node, because every agent runs one. `fd:3` is a socket that was inherited.
import { connect, Socket } from "node:net";

const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u;

/** Resolves with the exit code when the server has said its last word. */
export function runBridge(where: string | undefined, env: NodeJS.ProcessEnv): Promise<number> {
  if (where === undefined || where === "") {
    process.stderr.write("usage: rudder-bridge SOCKET (a path, or fd:N)\n");
    return Promise.resolve(2);
  }
  return new Promise((resolve) => {
    const descriptor = /^fd:(\d{1,5})$/.exec(where)?.[1];
    const socket =
      descriptor === undefined
        ? connect({ path: where, allowHalfOpen: true })
        : new Socket({ fd: Number(descriptor), allowHalfOpen: true });
    let code = 0;
    socket.on("error", (error) => {
      code = 1;
      process.stderr.write(
        `rudder-bridge: ${error.message}\nno server answers there; start it with: rudder mcp start\n`,
      );
    });
    socket.on("end", () => socket.end()).on("close", () => resolve(code));
    // who asks, where nothing else tells; said before anything is asked.
    const name = env.RUDDER_AGENT ?? "";
    if (NAME.test(name)) {
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", method: "rudder/caller", params: { name } })}\n`);
    }
    process.stdin.on("error", () => socket.end()).pipe(socket);
    // A client that is gone wants no more answers.
    process.stdout.on("error", () => socket.destroy());
    socket.pipe(process.stdout, { end: false });
  });
}
