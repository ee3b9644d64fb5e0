// Starts a haven's server for a client that finds none: by `rudder mcp start`, once for each outage. Not for an agent's
// own socket: its supervisor does that, because a sandboxed agent cannot.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Best effort: the bridge goes on trying to connect; another program may start the server. */
export function startServerAt(socket: string, env: NodeJS.ProcessEnv): void {
  const haven = dirname(socket);
  if (basename(socket) !== "mcp.sock" || basename(dirname(haven)) === "agents") return;
  try {
    const program = join(dirname(realpathSync(process.argv[1] ?? "")), "rudder.js");
    if (!existsSync(program) || !existsSync(join(haven, "artefacts"))) return;
    const project = env.SAILING_PROJECT || projectOf(haven);
    const named = project === undefined ? {} : { SAILING_PROJECT: project };
    const child = spawn(process.execPath, [program, "mcp", "start"], {
      env: { ...env, ...named, RUDDER_HAVEN: haven },
      stdio: "ignore",
      detached: true,
    });
    child.on("error", () => {});
    child.unref();
  } catch {
    // Then it has to be started from elsewhere: the bridge has said how.
  }
}

/** The project that the haven noted last; the client may run anywhere. */
function projectOf(haven: string): string | undefined {
  try {
    const { projects } = JSON.parse(readFileSync(join(haven, "projects.json"), "utf8"));
    const path: unknown = projects.at(-1).path;
    return typeof path === "string" && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
