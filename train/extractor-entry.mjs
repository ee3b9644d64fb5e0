// What training needs of the engine: the extractor that also serves, and the outline it works on. Bundled, never shipped.
export { parseFocus } from "../packages/prune/src/focus.ts";
export { extractColumns } from "../packages/prune/src/learned/line-columns.ts";
export { splitLines } from "../packages/prune/src/lines.ts";
export { segment } from "../packages/prune/src/segment.ts";
