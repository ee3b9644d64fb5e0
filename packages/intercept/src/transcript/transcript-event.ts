// The content of a client's transcript, in a form that all clients share. Each client's module parses its own records into
// it; hooks read the end of a transcript, statistics all of it.
import type { CallUsage } from "@jeeves/cut";

/** The usage of a call, from a record. */
export interface Usage extends CallUsage {
  /** The same for all records of one call: Claude Code repeats the usage with every block of a message. "" where calls have no id. */
  readonly call: string;
}

/** An event in a record. */
export type TranscriptEvent =
  /** The user's prompt. `isRepeated`: the client's repetition of an earlier prompt. */
  | { readonly kind: "prompt"; readonly text: string; readonly isRepeated?: true }
  /** A message of the assistant. */
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "thought"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: "result"; readonly id: string; readonly text: string; readonly isError: boolean }
  | { readonly kind: "usage"; readonly usage: Usage }
  /** Everything before it is no longer in the context. */
  | { readonly kind: "compacted" }
  /** Something before it was removed from the context: old results, or turns that were undone. */
  | { readonly kind: "cleared" }
  /** A part of the starting prompt. A server's tools and instructions are one part under the server's name. */
  | {
      readonly kind: "filling";
      readonly part: "system" | "tool" | "server" | "note";
      readonly name: string;
      readonly text: string;
    };

/** The place of a record in a transcript that is a tree: after a rewind a new branch begins at an earlier record. */
export interface TreePlace {
  readonly id: string;
  /** Undefined for a root. */
  readonly parent?: string;
  /** The model's message that it is a block of. */
  readonly message?: string;
  /** Text for the model that is not a tool's result: the user's or the client's. */
  readonly isPrompt?: true;
}

/** One line of a transcript. */
export interface TranscriptRecord {
  /** The record's own timestamp; "" where it has none. */
  readonly at: string;
  /** The session, the directory it works in, and the model, where the record names them. */
  readonly session?: string;
  readonly dir?: string;
  readonly model?: string;
  /** Whether it belongs to a subagent, which has a context of its own; `agent` distinguishes several. */
  readonly isSidechain: boolean;
  readonly agent?: string;
  readonly place?: TreePlace;
  readonly events: readonly TranscriptEvent[];
}

/** The tokens of a call's whole prompt, cached or not. */
export function promptTokensOf({ cached, written, plain }: Usage): number {
  return cached + written + plain;
}

/** The larger of two usages of one message: its blocks repeat it, the first ones maybe before the output was counted. */
export function largerOf(a: Usage, b: Usage): Usage {
  const most = (name: "cached" | "written" | "writtenForHour" | "plain" | "output") => Math.max(a[name], b[name]);
  return {
    ...b,
    cached: most("cached"),
    written: most("written"),
    writtenForHour: most("writtenForHour"),
    plain: most("plain"),
    output: most("output"),
  };
}

/** No call of a model has more tokens; a larger number comes from a torn record, and would dominate the bill. */
const MAX_TOKENS_OF_CALL = 100_000_000;

/** A count in a record; 0 where the value is not a count. */
export function countOf(value: unknown, most = MAX_TOKENS_OF_CALL): number {
  return typeof value === "number" && value > 0 && value <= most ? value : 0;
}

/** The fields that have a value. */
export function given<Name extends string>(
  fields: Readonly<Record<Name, string | undefined>>,
): { [key in Name]?: string } {
  const found: { [key in Name]?: string } = {};
  for (const name in fields) if (fields[name]) found[name] = fields[name];
  return found;
}
