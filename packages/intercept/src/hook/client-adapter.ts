// What differs from client to client: how its results read, and what is answered before its tools run.
import type { StoredReadDeps } from "../stored/stored-read.ts";
import type { WayBack } from "../stored/way-back.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { CommandReading, Reading } from "./reading.ts";
import type { SessionMemory } from "./session-memory.ts";
import type { ToolEvent } from "./tool-event.ts";

export interface BeforeDeps {
  readonly env: NodeJS.ProcessEnv;
  /** For a call that names a stored text: whether it may be read. */
  readonly storedReads: () => Promise<StoredReadDeps>;
}

/** A text in the store. */
export interface StoredFile {
  readonly pruneId: string;
  readonly path: string;
}

export interface ClientAdapter {
  /** The event with the names that Claude Code has for tools and their arguments; default: as it is. */
  inSharedWords?(event: ToolEvent): ToolEvent;
  /** What a command printed, where the client lets a hook replace it; undefined for one to be left alone. */
  readCommand?(event: ToolEvent): Promise<CommandReading | undefined>;
  /** The name under which its own Read opens a stored text; undefined where it cannot. Default: the file's path. */
  nameStored?(event: ToolEvent, stored: StoredFile): Promise<string | undefined>;
  /** What is answered before a tool runs; undefined for nothing. */
  before(event: ToolEvent, deps: BeforeDeps): Promise<HookAnswer | undefined>;
  /** A result as a text that may be cut; undefined for one to be left alone. */
  read(event: ToolEvent): Reading | "unknown_shape" | undefined;
  /** Whether the call asks for lines that an earlier cut left out, and how large what it got is. */
  wayBack(event: ToolEvent, memory: SessionMemory): (WayBack & { readonly text: string }) | undefined;
}
