// What servers need to say what happens in them.
export {
  createEvents,
  type EventOptions,
  type EventRecord,
  type EventSinks,
  type Events,
  type Level,
} from "./events.ts";
