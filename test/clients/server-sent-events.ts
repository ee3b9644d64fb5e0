// Both vendors stream an answer as server-sent events: the name, one line of JSON, an empty line.
import type { Answer } from "./scripted-model.ts";

export interface ModelEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function toEventStream(events: readonly ModelEvent[]): Answer {
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return { status: 200, contentType: "text/event-stream", body };
}

export function toJsonAnswer(status: number, value: unknown): Answer {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}
