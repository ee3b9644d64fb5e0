#!/usr/bin/env node
// rudder-bridge SOCKET: stdio to a haven's server, for clients that start a program. A bundle of its own: it loads
// nothing of the command line.
import { runBridge } from "./mcp/bridge.ts";

process.exit(await runBridge(process.argv[2], process.env));
