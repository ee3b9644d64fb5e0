#!/usr/bin/env node
import { runBuilt } from "./run-built.mjs";

await runBuilt("mcp-pruner", "dist", "index.js");
