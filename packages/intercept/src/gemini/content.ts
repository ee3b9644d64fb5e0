// The results of Gemini's tools: {llmContent, returnDisplay}, of which its model sees the first: a text, or a list of parts.
import { isRecord } from "@jeeves/base";
import type { HookAnswer } from "../hook/hook-answer.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

/** Gemini puts untrusted text into such a fence. */
const [OPEN, CLOSE] = ["<untrusted_context>\n", "</untrusted_context>"];

/** The one text of a result; undefined for one of another shape. */
export function contentOf({ response }: ToolEvent): string | undefined {
  const content = isRecord(response) ? response.llmContent : undefined;
  const only: unknown = Array.isArray(content) && content.length === 1 ? content[0] : content;
  if (typeof only === "string") return only;
  return isRecord(only) && typeof only.text === "string" ? only.text : undefined;
}

/** A text without its fence, and a function that puts it back. */
interface Fenced {
  readonly text: string;
  readonly fence: (text: string) => string;
}

/** Removes the fence, where there is one. */
export function withoutFence(content: string): Fenced {
  const trimmed = content.trimEnd();
  if (!trimmed.startsWith(OPEN) || !trimmed.endsWith(CLOSE)) return { text: content, fence: (text) => text };
  const text = trimmed.slice(OPEN.length, -CLOSE.length).replace(/\n$/, "");
  return { text, fence: (shown) => `${OPEN}${shown}\n${CLOSE}` };
}

/** An answer that replaces a result's text. */
export function replaceText(output: string): HookAnswer {
  return { kind: "replace", output };
}
