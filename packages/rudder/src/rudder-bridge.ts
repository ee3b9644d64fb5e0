#!/usr/bin/env node
// rudder-bridge SOCKET: stdio to a haven's server, for clients that start a program. A bundle of its own: it loads
// nothing of the command line.
import { runBridge } from "./mcp/bridge.ts";

async function main([where]: readonly (string | undefined)[]): Promise<void> {
  if (where === "--version" || where === "-v") {
    const { VERSION } = await import("@jeeves/base");
    process.stdout.write(`${VERSION}\n`);
  } else if (where === "--help" || where === "-h") {
    process.stdout.write("usage: rudder-bridge SOCKET (a path, or fd:N)\n");
  } else {
    process.exit(await runBridge(where, process.env));
  }
}

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<void> = main(process.argv.slice(2));
