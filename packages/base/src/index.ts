// The floor of the house: small helpers that every part may use. Importing it starts and reads nothing.
export {
  clientHomeFileOf,
  clientHomeOf,
  mayNamePrefix,
  projectSettingsOf,
  userSettingsOf,
} from "./clients/client-home.ts";
export {
  CLIENTS,
  type ClientId,
  type ClientTraits,
  clientOf,
  type OwnCut,
  ownCutOf,
  PROVIDER_NAMES,
  type ProviderName,
  type ResultForm,
  type ShownThing,
  shownCharsOf,
  traitsOf,
} from "./clients/clients.ts";
export { type Shows, shownBy } from "./clients/shown-by.ts";
export { findProgram, findPrograms, isExecutable, withAbsolutePath } from "./find-program.ts";
export { createGate, type Gate } from "./gate.ts";
export { homeOf } from "./home.ts";
export { findBeside } from "./installation/find-beside.ts";
export { VERSION } from "./installation/version.ts";
export {
  byteLinesOf,
  createLineReader,
  type LineBlock,
  type LineReader,
  type LineReaderOptions,
  textLinesOf,
} from "./line-reader.ts";
export { isPruneId, PRUNE_ID_PATTERN, pruneIdsIn } from "./prune-id.ts";
export { realPlaceOf } from "./real-place.ts";
export { isRecord } from "./records.ts";
export { findSystemPerl, PROC } from "./system/optional-parts.ts";
export { isProcessThere, type ProcessRow, readCommand, readProcess } from "./system/processes.ts";
export { systemCodeOf } from "./system-code.ts";
export { oneLine } from "./text/one-line.ts";
export { shellQuote } from "./text/shell-quote.ts";
export { shownName, shownText } from "./text/shown-name.ts";
export { suggest } from "./text/suggest.ts";
export { parseCount, parsePort } from "./whole-numbers.ts";
export { LONGEST_TIMER_MS, startTimeLimit, type TimeLimit, within } from "./within.ts";
