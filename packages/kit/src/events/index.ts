// Events: what servers report about their work.
export type { EventRecord, Level } from "./event-record.ts";
export { createEvents, type EventOptions, type EventSinks, type Events } from "./events.ts";
