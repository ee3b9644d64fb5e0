// What servers need to say what happens in them.
export type { EventRecord, Level } from "./event-record.ts";
export { createEvents, type EventOptions, type EventSinks, type Events } from "./events.ts";
