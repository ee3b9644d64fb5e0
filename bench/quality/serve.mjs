#!/usr/bin/env node
// The engine behind POST /prune {code, query, max_prune_ratio?} → {kept_frags}, on loopback, for scoring from outside.
//   node bench/quality/serve.mjs [--port 0] [--no-grammars]
// max_prune_ratio is a share of the text here, not of the lines: r → keep 1 - r of the characters.
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { loadEngine } from "../prune/load-engine.mjs";

const { values: opt } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "no-grammars": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  console.log("node bench/quality/serve.mjs [--port N] [--no-grammars]   prints the address it listens on");
  process.exit(0);
}
const MAX_BODY = 64 << 20;
const { prune, createTreeSitterGrammars } = await loadEngine();
const grammars = opt["no-grammars"] ? {} : { grammars: createTreeSitterGrammars() };

async function answer(body) {
  const { code, query, max_prune_ratio: ratio } = JSON.parse(body);
  const amount = ratio === undefined ? { mode: "auto" } : { mode: "share", keep: 1 - ratio };
  const pruned = await prune(code, { focus: query, kind: "code", amount, ...grammars });
  const kept = [];
  pruned.kept.forEach((why, i) => {
    if (why !== 0) kept.push(i + 1);
  });
  return { kept_frags: kept };
}

const server = createServer((req, res) => {
  const chunks = [];
  let size = 0;
  req.on("data", (chunk) => {
    size += chunk.length;
    if (size > MAX_BODY) req.destroy();
    else chunks.push(chunk);
  });
  req.on("end", () => {
    answer(Buffer.concat(chunks).toString("utf8")).then(
      (found) => res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found)),
      (error) =>
        res.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error: String(error) })),
    );
  });
});
server.listen(Number(opt.port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/prune`));
