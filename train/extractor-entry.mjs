// What training needs of the engine: the extractor that also serves, and the outline it works on. Bundled, never shipped.

export { extractColumns } from "../packages/prune/src/rank/learned/line-columns.ts";
export { segment } from "../packages/prune/src/segment.ts";
export { parseFocus } from "../packages/prune/src/text/focus.ts";
export { splitLines } from "../packages/prune/src/text/lines.ts";
