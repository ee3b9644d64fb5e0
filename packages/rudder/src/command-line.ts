// What the server's `cli` tool needs of the command line, as an interface: `mcp` and `cli` do not import each other,
// and the programs (rudder-server.ts, http.ts) connect them.
import type { Outcome } from "./answers/answer.ts";
import type { Place } from "./haven/locate.ts";
import type { HavenStore, Operation } from "./haven/store.ts";
import type { Digits } from "./ids.ts";
import type { Caller } from "./lease/lease.ts";

/** A command line that was parsed; nothing was run. */
export interface Words {
  /** `["task", "log"]` */
  readonly path: readonly string[];
  /** Arguments without options, in their order. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly root: string | undefined;
  readonly isJson: boolean;
}

/** A call of a server in which a command runs. */
interface ServedCall {
  readonly place: Place;
  readonly env: NodeJS.ProcessEnv;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly operation: Operation | undefined;
  readonly openStore: (options: {
    readonly haven: string;
    readonly id: string;
    readonly digits: Digits;
    readonly env: NodeJS.ProcessEnv;
  }) => HavenStore;
}

/** The command line as a server uses it. */
export interface CommandLine {
  /** undefined: no command is reached (help, or words that are wrong); running it would only print text. */
  read(argv: readonly string[]): Promise<Words | undefined>;
  run(argv: readonly string[], call: ServedCall): Promise<Outcome>;
  /** Loads every command: a build beside a server that lives for days may replace its files. */
  preload(): Promise<unknown>;
}
