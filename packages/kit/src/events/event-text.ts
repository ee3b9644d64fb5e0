// An event as text for people: one line, `time level event key=value …`. Control characters are escaped, so that data can
// neither start a line nor send commands to the terminal.
import type { EventRecord } from "./event-record.ts";

/** One line, without its line end. Data that JSON cannot hold is shown as `(unserializable)`. */
export function toEventText(record: EventRecord): string {
  const fields = Object.entries(record.data ?? {}).map(([key, value]) => `${key}=${toWord(value)}`);
  const id = record.request_id === undefined ? [] : [`request_id=${record.request_id}`];
  return [record.ts, record.level.padEnd(5), record.event, ...id, ...fields].join(" ");
}

function toWord(value: unknown): string {
  if (typeof value === "string" && /^[\w./:@+-]+$/.test(value)) return value;
  try {
    return (JSON.stringify(value) ?? "undefined").replace(
      /[\u007f-\u009f\u2028\u2029]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  } catch {
    return "(unserializable)";
  }
}
