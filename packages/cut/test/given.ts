// What the tests of this package are given: a pipeline on a memory store and a temporary state directory, and a text with
// one answer in it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type PutRequest, type RecoveryStore } from "@jeeves/state";
import { onTestFinished } from "vitest";
import { createCutter } from "../src/cut.ts";
import type { CutRequest } from "../src/cut-request.ts";
import type { Engine } from "../src/engine/engine.ts";
import { createInProcessEngine } from "../src/engine/in-process.ts";
import { createMeter, type MeterEntry, readMeter } from "../src/meter/meter.ts";
import { constantPolicy } from "../src/policy/policy.ts";

export const QUESTION = "Where is the voucher limit checked?";
export const ANSWER = "  const voucherLimitCents = 4_200;";

/** 1,000 lines of code, about 9,000 tokens; one function answers the question. */
export const SOURCE = Array.from({ length: 100 }, (_, index) =>
  [
    `export function ${index === 61 ? "checkVoucherLimit" : `handleParcel${index}`}(request: Request${index}) {`,
    index === 61 ? ANSWER : `  const amount${index} = request.rows.length * ${index + 3};`,
    "  for (const row of request.rows) {",
    `    log.write("row", row.id, ${index});`,
    `    if (row.isLate) return failed(row, "late ${index}");`,
    `    total += row.price * amountOf(row, ${index});`,
    "  }",
    `  return done(${index});`,
    "}",
    "",
  ].join("\n"),
).join("\n");

export interface Given {
  readonly engine?: Engine;
  readonly store?: RecoveryStore;
  readonly env?: Readonly<Record<string, string>>;
}

/** A pipeline, what it stored and what its meter has. */
export async function given({ engine = createInProcessEngine(), store = createMemoryStore({}), env = {} }: Given = {}) {
  const dir = await mkdtemp(join(tmpdir(), "jeeves-cut-"));
  const fullEnv = { HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), TMPDIR: dir, ...env };
  const puts: PutRequest[] = [];
  const watched: RecoveryStore = {
    get: store.get,
    put(request) {
      puts.push(request);
      return store.put(request);
    },
  };
  const meter = createMeter(fullEnv);
  const cutter = createCutter({ engine, store: watched, meter, env: fullEnv });
  onTestFinished(async () => {
    await cutter.idle(); // an order is counted behind its answer
    await rm(dir, { recursive: true, force: true });
  });
  return {
    env: fullEnv,
    cutter,
    meter,
    store: watched,
    puts,
    async meterEntries(): Promise<MeterEntry[]> {
      await cutter.idle();
      const entries: MeterEntry[] = [];
      for await (const entry of readMeter(fullEnv)) entries.push(entry);
      return entries;
    },
  };
}

/** A request as a tool makes it. */
export function request(more: Partial<CutRequest> = {}): CutRequest {
  return {
    text: SOURCE,
    focus: QUESTION,
    policy: constantPolicy,
    caller: { session: "s1", client: "claude-code", tool: "read", dir: "/project" },
    args: { file_path: "a.ts" },
    what: "a.ts",
    path: "a.ts",
    source: { tool: "read", path: "a.ts" },
    idOptions: ({ kind }) => ({ tool: "read", kind }),
    signal: new AbortController().signal,
    ...more,
  };
}
