// A haven in the database with one PRD, one epic and some tasks, and a process that dies while it changes it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, onTestFinished } from "vitest";
import { type HavenStore, makePostgresHaven, openPostgresStore } from "../../packages/rudder/src/index.ts";
import { taskId, taskPath, taskText } from "../../packages/rudder/test/haven-under-test.ts";
import type { Database } from "../../packages/state/src/index.ts";
import { freshUrl, openForTest } from "./database-under-test.ts";

export const HAVEN_ID = "0123456789ab";
const BASE = "artefacts/prds/PRD-001-shop";
const PRD = "---\nid: PRD-001\ntitle: Shop\nstatus: In Progress\n---\n\n# PRD-001: Shop\n";
const EPIC =
  "---\nid: E001\ntitle: Checkout\nparent: PRD-001\nstatus: In Progress\nblocked_by: []\n---\n\n# E001\n\n## Description\n\nPay for a basket.\n";

/** The address of a database with such a haven. */
export async function havenForTest(count: number): Promise<string> {
  const url = await freshUrl();
  await fillHaven(openForTest(url), count);
  return url;
}

/** Makes the haven; in one transaction, as an import would. */
export async function fillHaven(database: Database, count: number): Promise<void> {
  await makePostgresHaven(database, HAVEN_ID);
  const store = openPostgresStore({ database, id: HAVEN_ID, haven: "/nowhere" });
  await store.change(async (step) => {
    await step.createArtefact({ id: "PRD-001", path: `${BASE}/prd.md`, text: PRD });
    await step.createArtefact({ id: "E001", path: `${BASE}/epics/E001-checkout.md`, text: EPIC });
    for (let number = 1; number <= count; number++) {
      await step.createArtefact({ id: taskId(number), path: taskPath(number), text: taskText(number) });
    }
  });
}

/** One more process of the haven; `isLive` as a server opens it. */
export function openStore(
  url: string,
  more: { readonly aheadMs?: number; readonly isLive?: boolean } = {},
): HavenStore {
  const store = openPostgresStore({ database: openForTest(url), id: HAVEN_ID, haven: "/nowhere", ...more });
  onTestFinished(() => store.close());
  return store;
}

let worker: Promise<string> | undefined;
const workerDir = mkdtempSync(join(tmpdir(), "jeeves-crash-"));
afterAll(() => rmSync(workerDir, { recursive: true, force: true }));

/** A bundle of a program of this folder, made once. */
export async function bundled(name: string, outdir: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile: join(outdir, `${name}.mjs`),
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire as __make } from "node:module"; const require = __make(import.meta.url);' },
    external: ["@vscode/ripgrep", "@vscode/tree-sitter-wasm", "web-tree-sitter"],
    logLevel: "error",
  });
  return join(outdir, `${name}.mjs`);
}

/** Lets a process claim T001 as `victim` under `op-crash`, and die there. */
export async function dieAt(url: string, point: string): Promise<void> {
  worker ??= bundled("crash-worker", workerDir);
  const child = spawn(process.execPath, [await worker, HAVEN_ID, point], {
    stdio: "ignore",
    env: { ...process.env, JEEVES_DATABASE_URL: url },
  });
  const [, signal] = await once(child, "close");
  if (signal !== "SIGKILL") throw new Error(`it did not die at ${point}`);
}
