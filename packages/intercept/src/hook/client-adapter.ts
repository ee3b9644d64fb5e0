// What differs from client to client: how its results read, and what is answered before its tools run.
import type { StoredReadDeps } from "../stored/stored-read.ts";
import type { WayBack } from "../stored/way-back.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { Reading } from "./reading.ts";
import type { SessionMemory } from "./session-memory.ts";
import type { ToolEvent } from "./tool-event.ts";

export interface BeforeDeps {
  readonly env: NodeJS.ProcessEnv;
  /** For a call that names a stored text: whether it may be read. */
  readonly storedReads: () => Promise<StoredReadDeps>;
}

export interface ClientAdapter {
  /** What is answered before a tool runs; undefined for nothing. */
  before(event: ToolEvent, deps: BeforeDeps): Promise<HookAnswer | undefined>;
  /** A result as a text that may be cut; undefined for one to be left alone. */
  read(event: ToolEvent): Reading | "unknown_shape" | undefined;
  /** Whether the call asks for lines that an earlier cut left out, and how large what it got is. */
  wayBack(event: ToolEvent, memory: SessionMemory): (WayBack & { readonly text: string }) | undefined;
}
