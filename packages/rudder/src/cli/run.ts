// A command as a function: (argv, context) → text, value and exit code. The terminal, the server's tools and the tests
// all come in here; nothing is ever handed to a shell, and nothing here touches the process.
import { type Command, CommanderError } from "commander";
import { renewOwn } from "../actions/renew-own.ts";
import { RudderError, toRudderError } from "../rudder-error.ts";
import type { Answer, Outcome } from "./answer.ts";
import { createProgram } from "./program.ts";
import { openSession, type RudderContext, type Session } from "./session.ts";

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
    if (session !== undefined) await renewCaller(session);
    return done(answer ?? { json: { text: printed }, text: printed }, program.opts().json === true);
  } catch (error) {
    context.signal?.throwIfAborted();
    const isJson = program.opts().json === true || words.includes("--json");
    if (error instanceof CommanderError) return ofCommander(error, { printed, isJson });
    const known = session === undefined ? error : toRudderError(error, session.place.haven);
    if (!(known instanceof RudderError)) throw error;
    if (session !== undefined) await renewCaller(session);
    return failed(known, isJson);
  }
}

/** The same for who has arguments instead of words: one command, its answer or its refusal. */
export async function runCommand(act: (session: Session) => Promise<Answer>, context: RudderContext): Promise<Outcome> {
  let session: Session | undefined;
  try {
    session = await openSession(context, {});
    const answer = await act(session);
    await renewCaller(session);
    return done(answer, false);
  } catch (error) {
    context.signal?.throwIfAborted();
    const known = session === undefined ? error : toRudderError(error, session.place.haven);
    if (!(known instanceof RudderError)) throw error;
    if (session !== undefined) await renewCaller(session);
    return failed(known, false);
  }
}

/** any call of a holder renews; also one that was refused, or that only looked. */
async function renewCaller(session: Session): Promise<void> {
  await renewOwn(session.store, { by: session.caller, ttlMs: session.ttlMs }, session);
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

function done(answer: Answer, isJson: boolean): Outcome {
  const text = isJson ? JSON.stringify(answer.json, null, 2) : answer.text;
  return { text: withLineEnd(text), json: answer.json, notes: answer.notes ?? [], exitCode: 0, isJson };
}

function failed(error: RudderError, isJson: boolean): Outcome {
  const json = { error: { code: error.code, message: error.message, hint: error.hint, ...error.details } };
  const text = isJson ? JSON.stringify(json, null, 2) : `${error.message}\n${error.hint}`;
  return { text: withLineEnd(text), json, notes: [], exitCode: error.code === "invalid_argument" ? 2 : 1, isJson };
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

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
