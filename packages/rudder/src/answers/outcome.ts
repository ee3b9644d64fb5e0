// An answer, or an error, as what is printed and how it ended.
import type { RudderError } from "../rudder-error.ts";
import type { Answer, Outcome } from "./answer.ts";

/** The outcome of a command that was carried out: exit code 0. */
export function toOutcome(answer: Answer, isJson: boolean): Outcome {
  const text = isJson ? JSON.stringify(answer.json, null, 2) : answer.text;
  const painted = answer.isPainted === true && !isJson ? { isPainted: true } : {};
  return { text: withLineEnd(text), json: answer.json, notes: answer.notes ?? [], exitCode: 0, isJson, ...painted };
}

/** The outcome of a refusal: exit code 2 for `invalid_argument`, else 1. */
export function toFailure(error: RudderError, isJson: boolean): Outcome {
  const json = { error: { code: error.code, message: error.message, hint: error.hint, ...error.details } };
  const text = isJson ? JSON.stringify(json, null, 2) : `${error.message}\n${error.hint}`;
  return { text: withLineEnd(text), json, notes: [], exitCode: error.code === "invalid_argument" ? 2 : 1, isJson };
}

/** Printed texts end with a line end. */
export function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
