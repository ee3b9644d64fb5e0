// A command as a function: (argv, context) → text, value and exit code. The terminal, the server's `cli` tool and the
// tests all come in here; nothing is ever handed to a shell, and nothing here touches the process.
import { type Command, CommanderError } from "commander";
import type { Answer, Outcome } from "../answers/answer.ts";
import { toFailure, toOutcome, withLineEnd } from "../answers/outcome.ts";
import { RudderError, toRudderError } from "../rudder-error.ts";
import { renewOwn } from "../tasks/leases/renew-own.ts";
import { createProgram } from "./program.ts";
import { openSession, type RudderContext, type Session } from "./session.ts";

/**
 * Runs one command. Refusals and wrong words are outcomes; it rejects where `context.signal` aborts, and with errors
 * that are defects.
 */
export async function runRudder(argv: readonly string[], context: RudderContext): Promise<Outcome> {
  const words = splitGroup(argv);
  let printed = "";
  let answer: Answer | undefined;
  let session: Session | undefined;
  const program: Command = createProgram({
    print: (text) => {
      printed += text;
    },
    run: async (act) => {
      session = await openSession(context, { root: program.opts().root });
      answer = await act(session);
    },
  });
  try {
    await program.parseAsync(words, { from: "user" });
    // any call of a holder renews; also one that was refused, or that only looked.
    if (session !== undefined) await renewOwn(session);
    return toOutcome(answer ?? { json: { text: printed }, text: printed }, program.opts().json === true);
  } catch (error) {
    context.signal?.throwIfAborted();
    const isJson = program.opts().json === true || words.includes("--json");
    if (error instanceof CommanderError) return ofCommander(error, { printed, isJson });
    const known = session === undefined ? error : toRudderError(error, session.place.haven);
    if (!(known instanceof RudderError)) throw error;
    if (session !== undefined) await renewOwn(session);
    return toFailure(known, isJson);
  }
}

/** `task:log` is `task log`. Only where the first word has that form: a message may hold colons. */
export function splitGroup(argv: readonly string[]): string[] {
  const words = [...argv];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--root") at += 1;
    else if (!word.startsWith("-")) {
      const parts = /^([a-z]+):([a-z][a-z-]*)$/.exec(word);
      if (parts !== null) words.splice(at, 1, parts[1] ?? "", parts[2] ?? "");
      break;
    }
  }
  return words;
}

function ofCommander(error: CommanderError, how: { readonly printed: string; readonly isJson: boolean }): Outcome {
  if (error.exitCode === 0) {
    return { text: withLineEnd(how.printed), json: { text: how.printed }, notes: [], exitCode: 0, isJson: false };
  }
  const message = error.message.replace(/^error: /, "");
  const hint = /unknown option/.test(message)
    ? 'a text that starts with a dash comes after --, as in: rudder task log T042 -- "--flags are text here"'
    : "rudder --help, or rudder GROUP --help, says more";
  const isHelp = error.code === "commander.help";
  const why = isHelp ? "a command is missing" : message;
  const words = isHelp ? `${why}\n\n${how.printed}` : `${message}\n${hint}`;
  const json = { error: { code: "invalid_argument", message: why, hint } };
  const text = how.isJson ? JSON.stringify(json, null, 2) : words;
  return { text: withLineEnd(text), json, notes: [], exitCode: 2, isJson: how.isJson };
}
