// What the server writes to stderr: for people who look why an agent cannot reach it. One line each; what others
// sent is shown so that it can neither start a line nor steer a terminal.

/** Writes the lines; control characters are replaced. */
export interface ServerLog {
  started(what: {
    readonly mode: "stdio" | "Unix socket" | "TCP";
    readonly at: readonly string[];
    readonly taskId?: string | undefined;
    readonly project: string;
  }): void;
  say(line: string): void;
}

export function createServerLog(stderr: NodeJS.WritableStream): ServerLog {
  // A starter that went away takes nothing down.
  stderr.on("error", () => {});
  const say = (line: string): void => {
    stderr.write(`${line.replace(/\p{Cc}/gu, "\u{fffd}")}\n`);
  };
  return {
    say,
    started({ mode, at, taskId, project }) {
      say(`Rudder MCP Server started (${mode} mode)`);
      for (const place of at) say(`  Listening on: ${place}`);
      if (taskId !== undefined) say(`  Restricted to task: ${taskId}`);
      say(`  Project root: ${project}`);
    },
  };
}
