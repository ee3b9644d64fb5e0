// What a client's transcript holds, in words that all clients share. Each client's module turns its own records into these;
// hooks read the end of a transcript, statistics all of it.
import type { CallUsage } from "@jeeves/cut";

/** What a call was billed for, by a record. */
export interface Usage extends CallUsage {
  /** The same for all records of one call: Claude Code repeats the usage with every block of a message. "" where calls have no id. */
  readonly call: string;
}

/** Something that a record tells. */
export type TranscriptEvent =
  /** The user's words. `isRepeated`: the client repeats what its user wrote last, wherever in the session that was. */
  | { readonly kind: "prompt"; readonly text: string; readonly isRepeated?: true }
  /** The assistant's words. */
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "thought"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: "result"; readonly id: string; readonly text: string; readonly isError: boolean }
  | { readonly kind: "usage"; readonly usage: Usage }
  /** What came before is no longer in the context. */
  | { readonly kind: "compacted" }
  /** Of what came before, something was taken out of the context: old results, or turns that were taken back. */
  | { readonly kind: "cleared" }
  /** A part of the starting prompt. A server's tools and instructions are one part under the server's name. */
  | {
      readonly kind: "filling";
      readonly part: "system" | "tool" | "server" | "note";
      readonly name: string;
      readonly text: string;
    };

/** Where a record hangs in a transcript that is a tree: after a rewind a new branch grows from an earlier record. */
export interface TreePlace {
  readonly id: string;
  /** Without one: a root. */
  readonly parent?: string;
  /** The model's message that it is a block of. */
  readonly message?: string;
  /** Words to the model that are no tool's result, the client's own among them. */
  readonly isPrompt?: true;
}

/** One line of a transcript. */
export interface TranscriptRecord {
  /** When it was written, as the client wrote it; "" where it does not say. */
  readonly at: string;
  /** The session, the directory it works in, and the model, where the record names them. */
  readonly session?: string;
  readonly dir?: string;
  readonly model?: string;
  /** Belongs to a subagent, which has a context of its own; `agent` tells several of them apart. */
  readonly isSidechain: boolean;
  readonly agent?: string;
  readonly place?: TreePlace;
  readonly events: readonly TranscriptEvent[];
}

/** The whole prompt of a call: what the model read, from the cache or not. */
export function promptTokensOf({ cached, written, plain }: Usage): number {
  return cached + written + plain;
}

/** The blocks of one message repeat its usage; the first ones may have been written before the output was counted. */
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

/** No call of a model has so many tokens: one such number in a torn record would be the whole bill. */
const MAX_TOKENS_OF_CALL = 100_000_000;

/** A count in a record; 0 for anything that is none. */
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
