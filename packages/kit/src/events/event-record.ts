// One event as it is written: to stderr as JSON or text, to a file as JSON.

/** How serious an event is. */
export type Level = "debug" | "info" | "warn" | "error";

/** An event as it is written to a log. */
export interface EventRecord {
  readonly ts: string;
  readonly level: Level;
  readonly event: string;
  readonly request_id?: string;
  readonly data?: object;
}
