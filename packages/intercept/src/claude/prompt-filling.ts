// The parts of the starting prompt, from Claude Code's transcripts (2.1.325 and later): the system prompt and tools of the
// request, and the reminders that Claude Code adds. Earlier versions do not record them.
import { isRecord } from "@jeeves/base";
import { textOf } from "../hook/tool-event.ts";
import type { TranscriptEvent } from "../transcript/transcript-event.ts";

type Filling = Extract<TranscriptEvent, { kind: "filling" }>;

/** The parts in a record; undefined for a record of another kind. */
export function fillingIn(record: Readonly<Record<string, unknown>>): Filling[] | undefined {
  const { type, shape, attachment } = record;
  if (type === "api-request-shape" && isRecord(shape)) return ofRequest(shape);
  if (type !== "attachment" || !isRecord(attachment)) return undefined;
  const kind = textOf(attachment.type) ?? "";
  if (kind === "deferred_tools_delta") return textsIn(attachment.addedNames).map((name) => ofTool(name, name));
  if (kind === "mcp_instructions_delta") {
    const blocks = textsIn(attachment.addedBlocks);
    return textsIn(attachment.addedNames).map((name, i) => ({
      kind: "filling",
      part: "server",
      name,
      text: blocks[i] ?? "",
    }));
  }
  const rendered = Array.isArray(record.rendered) ? record.rendered.filter(isRecord) : [];
  const text = rendered.map(({ content }) => textOf(content) ?? "").join("\n");
  return text === ""
    ? undefined
    : [{ kind: "filling", part: "note", name: kind.replace(/_delta$/, "").replaceAll("_", " "), text }];
}

function ofRequest({ system, tools }: Readonly<Record<string, unknown>>): Filling[] {
  const texts = (Array.isArray(system) ? system.filter(isRecord) : []).map(({ text }) => textOf(text) ?? "");
  const listed = Array.isArray(tools) ? tools.filter(isRecord) : [];
  return [
    { kind: "filling", part: "system", name: "", text: texts.join("\n") },
    ...listed.map((tool) => ofTool(textOf(tool.name) ?? "", JSON.stringify(tool))),
  ];
}

/** All tools of one server make one part. */
function ofTool(name: string, text: string): Filling {
  const server = /^mcp__(.+?)__/.exec(name)?.[1];
  if (server !== undefined) return { kind: "filling", part: "server", name: server, text };
  return { kind: "filling", part: "tool", name, text };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map((each) => textOf(each) ?? "") : [];
}
