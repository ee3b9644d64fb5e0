// What differs between clients: the form of their results, and the answer before a tool runs.
import type { StoredReadDeps } from "../stored/stored-read.ts";
import type { WayBack } from "../stored/way-back.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { CommandReading, Reading } from "./reading.ts";
import type { SessionMemory } from "./session-memory.ts";
import type { ToolEvent } from "./tool-event.ts";

/** What an adapter needs to answer before a tool runs. */
export interface BeforeDeps {
  readonly env: NodeJS.ProcessEnv;
  /** Called for a call that names a stored text, to decide whether it may be read. */
  readonly storedReads: () => Promise<StoredReadDeps>;
}

/** A text in the store. */
export interface StoredFile {
  readonly pruneId: string;
  readonly path: string;
}

/** One client's part of the interceptor. Methods return undefined where the call is to go on unchanged. */
export interface ClientAdapter {
  /** The event with Claude Code's names for tools and their arguments; default: the event as it is. */
  inSharedWords?(event: ToolEvent): ToolEvent;
  /** A command's output, where the client lets a hook replace it; undefined to leave it as it is. */
  readCommand?(event: ToolEvent): Promise<CommandReading | undefined>;
  /** The path by which the client's own Read opens a stored text; undefined where it cannot. Default: the file's path. */
  nameStored?(event: ToolEvent, stored: StoredFile): Promise<string | undefined>;
  /** The answer before a tool runs. */
  before(event: ToolEvent, deps: BeforeDeps): Promise<HookAnswer | undefined>;
  /** A result as a text that may be cut; undefined to leave it as it is. */
  read(event: ToolEvent): Reading | "unknown_shape" | undefined;
  /** Set where the call asks for lines that an earlier cut left out; `text` is what it got. */
  wayBack(event: ToolEvent, memory: SessionMemory): (WayBack & { readonly text: string }) | undefined;
}
