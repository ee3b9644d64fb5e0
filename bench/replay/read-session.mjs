// One transcript as the calls of its model with their prices, and the tool calls in between. Records are read by the
// product's own parsers; subagents have contexts of their own and are left out.
import { createCommandReader, writtenBy } from "./codex-steps.mjs";

/**
 * @typedef {object} Step a tool call
 * @property {string} id
 * @property {string} tool as the client calls it
 * @property {unknown} input
 * @property {number} call the call of the model that made it
 * @property {string} written all that the agent wrote with it
 * @property {object[]} outputs what it printed: { command, text, exitCode } of a command, { response, text } of another tool
 * @property {object[]} ranges lines that the agent declared with it
 */

/**
 * @param {{ name: string, lines: string[], ranges?: Map<string, object[]> }} given
 * @returns {{ client: string, steps: Step[], resultsAt: Map<number, Step[]>, words: string[], priced: object[], calls: object[] }}
 *   `resultsAt`: by line; `words`: what the model said and thought, by call
 */
export function readSession({ name, lines, ranges = new Map() }, product) {
  const threads = product.createThreads({ session: name, atMs: 0 });
  const reader = createStepReader(product, ranges);
  let client;
  for (const [index, line] of lines.entries()) {
    const raw = parsed(line);
    if (raw === undefined) continue;
    const claude = product.readClaudeRecord(raw);
    const record = claude ?? product.readCodexRecord(raw);
    if (record === undefined || record.isSidechain) continue;
    client ??= claude === undefined ? "codex" : "claude-code";
    threads.add({ ...record, session: name });
    reader.take(record, raw, index);
  }
  if (client === undefined) throw new Error(`${name}: no transcript of Claude Code or Codex`);
  const [thread] = threads.end();
  if (thread === undefined) throw new Error(`${name}: no usage is recorded in it`);
  const { steps, resultsAt, words } = reader.end(thread.calls.length);
  const commandsOf = createCommandReader();
  for (const step of steps) Object.assign(step, client === "codex" ? ofCodex(step, commandsOf) : ofClaude(step));
  const calls = product.contextCallsOf(thread.calls);
  return { client, steps, resultsAt, words, calls, priced: product.priceCalls(calls) };
}

function createStepReader({ promptTokensOf }, ranges) {
  const steps = [];
  const byId = new Map();
  const resultsAt = new Map();
  const words = [];
  const callsById = new Map();
  let calls = 0;
  let waiting = [];
  let said = [];
  const belong = (call, some) => {
    for (const step of some) step.call ??= call;
    words[call] = [words[call], ...said].filter(Boolean).join("\n");
    said = [];
  };
  const addUsage = (usage, ofRecord) => {
    if (promptTokensOf(usage) + usage.output === 0) return;
    const known = usage.call === "" ? undefined : callsById.get(usage.call);
    if (known !== undefined) return belong(known, ofRecord);
    if (usage.call !== "") callsById.set(usage.call, calls);
    belong(calls++, [...waiting, ...ofRecord]);
    waiting = [];
  };
  return {
    take({ events }, raw, index) {
      const ofRecord = [];
      for (const event of events) {
        if (event.kind === "said" || event.kind === "thought") said.push(event.text);
        else if (event.kind === "call" && !byId.has(event.id)) {
          const step = { ...event, ranges: ranges.get(event.id) ?? [], call: undefined, result: undefined };
          byId.set(event.id, step);
          ofRecord.push(step);
        } else if (event.kind === "usage") addUsage(event.usage, ofRecord);
        else if (event.kind === "result") {
          const step = byId.get(event.id);
          if (step === undefined || step.result !== undefined) continue;
          Object.assign(step, { result: event, response: raw.toolUseResult, output: raw.payload?.output });
          resultsAt.set(index, [...(resultsAt.get(index) ?? []), step]);
        }
      }
      waiting.push(...ofRecord.filter(({ call }) => call === undefined));
      steps.push(...ofRecord);
    },
    end(known) {
      // The usage of the last call never came: what it called belongs to the last one that is known.
      belong(known - 1, waiting);
      for (const step of steps) step.result ??= { text: "", isError: false };
      return { steps, resultsAt, words };
    },
  };
}

function ofCodex(step, commandsOf) {
  const commands = commandsOf(step);
  return { written: writtenBy(step), outputs: commands ?? [{ text: step.result.text, response: undefined }] };
}

function ofClaude({ tool, input, result, response }) {
  const given = typeof input === "object" && input !== null ? input : {};
  const text = result.text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trimEnd();
  const written = Object.values(given).flatMap(wordsIn).join("\n");
  if (tool !== "Bash") return { written, outputs: [{ text, response }] };
  const exitCode = given.run_in_background === true ? undefined : result.isError ? 1 : 0;
  return { written, outputs: [{ text, command: String(given.command ?? ""), exitCode }] };
}

function wordsIn(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}

function parsed(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
