// The engine behind its threads, as a program of its own: a thread starts from a bundle, not from TypeScript.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { expect, it, onTestFinished } from "vitest";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const NODE_MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/** What the program prints; it has `pool` and a `text` that takes a while. */
async function runWithPool(source: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "jeeves-pool-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  symlinkSync(NODE_MODULES, join(dir, "node_modules"));
  const contents = `
    import { createEnginePool } from "../../src/engine/engine-pool.ts";
    const pool = createEnginePool({ overtimeMs: 500 });
    import { splitLines } from "@jeeves/prune";
    const text = splitLines(Array.from({ length: 6_000 }, (_, n) => \`const value\${n} = compute(\${n});\`).join("\\n"));
    const { signal } = new AbortController();
    const cut = (timeoutMs) => pool.prune(text, { focus: "value7", amount: { mode: "auto" }, timeoutMs, signal });
    const alive = setInterval(() => {}, 1_000); // the threads alone do not keep a process alive
    ${source}
    clearInterval(alive);
  `;
  buildSync({
    stdin: { contents, resolveDir: HERE, loader: "ts", sourcefile: "program.ts" },
    outdir: dir,
    entryNames: "program",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    external: ["@vscode/tree-sitter-wasm", "web-tree-sitter"],
    logLevel: "error",
  });
  const { stdout } = await promisify(execFile)(process.execPath, [join(dir, "program.mjs")], { timeout: 90_000 });
  return stdout;
}

it("K-27 a thread that is ended for its overtime ends no other text", { timeout: 120_000 }, async () => {
  const printed = await runWithPool(`
    await Promise.all([cut(60_000), cut(60_000), cut(60_000), cut(60_000)]); // all threads are there
    const abandoned = await Promise.all([cut(1), cut(1), cut(1), cut(1)]);
    console.log(...abandoned.map(({ failed }) => failed));
    const waiting = cut(60_000);
    // Asleep while the threads end their work and their overtime is up: in the next turn it hears of the clock first.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    console.log((await waiting).status);
  `);
  expect(printed).toBe("timeout timeout timeout timeout\npruned\n");
});
