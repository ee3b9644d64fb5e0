// How the words of the command line print a text, or run a command in its session.
import type { Answer } from "../answers/answer.ts";
import type { Session } from "./session.ts";

/** Given to everything that defines commands. */
export interface Runner {
  readonly print: (text: string) => void;
  readonly run: (act: (session: Session) => Promise<Answer>) => Promise<void>;
}
