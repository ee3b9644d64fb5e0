// What training needs of the engine beside its front: the extractor that also serves, and what finds doc comments.
// Bundled, never shipped.

export { extractColumns } from "../packages/prune/src/rank/learned/line-columns.ts";
export { segment } from "../packages/prune/src/segment.ts";
export { splitLines } from "../packages/prune/src/text/lines.ts";
