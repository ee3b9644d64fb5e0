#!/usr/bin/env node
// rudder-server: the MCP server of a haven. This file is the rim: it reads argv and the environment and sets the exit
// code.
import { runServer } from "./mcp/main.ts";

const { argv, env, stdout, stderr } = process;
process.exit(await runServer({ argv: argv.slice(2), env, cwd: process.cwd(), stdout, stderr }));
