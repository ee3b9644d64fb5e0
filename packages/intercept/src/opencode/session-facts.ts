// The end of an opencode session, from the messages that plugins get. This file runs inside opencode, so it imports nothing
// else of this package.
import { isRecord } from "@jeeves/base";
import type { SessionFacts } from "../focus/session-facts.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Message {
  readonly info: Fields;
  readonly parts: readonly Fields[];
}

/** The facts that our plugin sends. `messages`: as opencode's client returns them, oldest first. */
export function sessionFactsOf(messages: unknown): SessionFacts {
  const found: { -readonly [name in keyof SessionFacts]: SessionFacts[name] } = {};
  const calls: string[] = [];
  let isInContext = true;
  for (const { info, parts } of toMessages(messages).reverse()) {
    if (isInContext) calls.push(...parts.flatMap(callIn));
    // Messages above a summary are no longer in the context.
    if (info.summary === true || parts.some(({ type }) => type === "compaction")) isInContext = false;
    if (info.role === "assistant" && found.user === undefined) {
      found.said ??= textOf(parts, "text");
      found.thought ??= textOf(parts, "reasoning");
    }
    if (info.role === "user") found.user ??= textOf(parts, "text");
    found.context_tokens ??= promptTokensIn(info.tokens);
    if (typeof info.modelID === "string") found.model ??= info.modelID;
  }
  return { ...found, calls };
}

function toMessages(messages: unknown): Message[] {
  if (!Array.isArray(messages)) return [];
  return messages.filter(isRecord).flatMap(({ info, parts }) => {
    return isRecord(info) && Array.isArray(parts) ? [{ info, parts: parts.filter(isRecord) }] : [];
  });
}

/** Whether a call has its result, or runs now; opencode clears old results. */
function callIn({ type, callID, state }: Fields): string[] {
  const { time } = isRecord(state) ? state : {};
  const isCleared = isRecord(time) && time.compacted !== undefined;
  return type === "tool" && typeof callID === "string" && !isCleared ? [callID] : [];
}

/** Text that opencode adds itself is marked as synthetic. */
function textOf(parts: readonly Fields[], kind: string): string | undefined {
  const texts = parts.flatMap(({ type, text, synthetic }) =>
    type === kind && typeof text === "string" && synthetic !== true ? [text] : [],
  );
  return texts.join("\n").trim() || undefined;
}

function promptTokensIn(tokens: unknown): number | undefined {
  if (!isRecord(tokens)) return undefined;
  const { input, cache } = tokens;
  const { read, write } = isRecord(cache) ? cache : {};
  const sum = [input, read, write].reduce<number>((all, each) => all + (typeof each === "number" ? each : 0), 0);
  return sum > 0 ? sum : undefined;
}
