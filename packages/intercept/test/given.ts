// What the tests of this package are given: an interceptor on a memory store and a temporary state directory, the events
// that real clients were seen to send, and a source file with one answer in it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCutter, createInProcessEngine, createMeter, type MeterEntry, readMeter } from "@jeeves/cut";
import { createMemoryStore, type RecoveryStore } from "@jeeves/state";
import { createInterceptor, type HookAnswer, parseToolEvent } from "../src/index.ts";

export const ANSWER = "  const voucherLimitCents = 4_200;";

/** 1,500 lines, about 13,000 tokens; the user's question names what one function of it does. */
export function makeSource(): string {
  const functions = Array.from({ length: 150 }, (_, index) => {
    const name = index === 97 ? "checkVoucherLimit" : `handle${["Order", "Invoice", "Parcel"][index % 3]}${index}`;
    return [
      `/** Looks after number ${index} ${index % 4 === 0 ? "of the limits that are checked" : "of many things"} here. */`,
      `export function ${name}(request: Request${index}): Outcome {`,
      index === 97 ? ANSWER : `  const amount${index} = request.rows.length * ${index + 3};`,
      `  for (const row of request.rows) {`,
      `    log.write("row", row.id, ${index});`,
      `    if (row.isLate) return failed(row, "late ${index}");`,
      "  }",
      `  return done(${index});`,
      "}",
      "",
    ].join("\n");
  });
  return functions.join("\n");
}

export const QUESTION = "What is the voucher limit, and where is the voucher limit checked?";

export async function given(env: Readonly<Record<string, string>> = {}, store: RecoveryStore = createMemoryStore({})) {
  const dir = await mkdtemp(join(tmpdir(), "jeeves-intercept-"));
  const transcript = join(dir, "transcript.jsonl");
  const said = { type: "user", message: { role: "user", content: QUESTION } };
  await writeFile(transcript, `${JSON.stringify(said)}\n`);
  const fullEnv = { HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), TMPDIR: dir, ...env };
  const unknownShapes: string[] = [];
  const meter = createMeter(fullEnv);
  const cutter = createCutter({ engine: createInProcessEngine(), store, meter, env: fullEnv });
  const interceptor = createInterceptor({
    cutter,
    store,
    env: fullEnv,
    meter,
    onUnknownShape: (tool) => unknownShapes.push(tool),
  });
  async function handle(
    fields: Readonly<Record<string, unknown>>,
    client = "claude-code",
  ): Promise<HookAnswer | undefined> {
    const event = parseToolEvent({ session_id: "s1", cwd: dir, transcript_path: transcript, ...fields });
    if (event === undefined) throw new Error("no event");
    return interceptor.handle(event, { client, maxChars: 45_000, signal: new AbortController().signal });
  }
  async function meterLines(): Promise<MeterEntry[]> {
    const lines: MeterEntry[] = [];
    for await (const entry of readMeter(fullEnv)) lines.push(entry);
    return lines;
  }
  return {
    dir,
    env: fullEnv,
    store,
    meter,
    cutter,
    transcript,
    unknownShapes,
    handle,
    meterKinds: async () => (await meterLines()).map(({ kind }) => kind),
    meterLines,
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** As Claude Code 2.1.197 and 2.1.325 send it: objects as JSON in text. */
export function readEvent(path: string, content: string, input: Readonly<Record<string, unknown>> = {}) {
  const numLines = content.split("\n").length;
  return {
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: JSON.stringify({ file_path: path, ...input }),
    tool_response: JSON.stringify({
      type: "text",
      file: { filePath: path, content, numLines, startLine: 1, totalLines: numLines },
    }),
  };
}

export function shownText(answer: HookAnswer | undefined): string {
  if (answer?.kind !== "replace") throw new Error(`not replaced: ${JSON.stringify(answer)}`);
  const output = answer.output as { file?: { content: string }; content?: string } | readonly { text: string }[];
  if (Array.isArray(output)) return output[0]?.text ?? "";
  if (!("file" in output) && !("content" in output)) throw new Error("no text in the answer");
  return output.file?.content ?? output.content ?? "";
}
