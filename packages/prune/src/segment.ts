// Chooses the segmenter of a text: for code a grammar, if the text is not too large and the grammar reads most of it; else
// indentation.
import { segmentDocs } from "./docs/segment-docs.ts";
import { segmentMatches } from "./matches/segment-matches.ts";
import type { SourceKind } from "./outline/extensions.ts";
import { flatOutline, type Outline } from "./outline/outline.ts";
import { segmentByIndent } from "./outline/segment-indent.ts";
import { segmentByTree } from "./outline/segment-tree.ts";
import { languageOf } from "./outline/sniff-language.ts";
import type { Grammars } from "./outline/syntax.ts";
import { remember } from "./text/known-texts.ts";
import type { LineTable } from "./text/lines.ts";

interface SegmentOptions {
  readonly kind: SourceKind;
  readonly path: string | undefined;
  readonly grammars: Grammars | undefined;
  readonly shouldStop: () => boolean;
}

const PARSE_MAX_CHARS = 2_000_000;
const PARSE_MAX_MEAN_LINE = 300;

/** The outline of a text of a kind. */
export async function segment(table: LineTable, options: SegmentOptions): Promise<Outline> {
  if (options.kind === "logs") return flatOutline(table);
  if (options.kind === "docs") return segmentDocs(table);
  if (options.kind === "matches") return segmentMatches(table);
  const { grammars } = options;
  const size = table.text.length;
  if (grammars !== undefined && size <= PARSE_MAX_CHARS && size <= PARSE_MAX_MEAN_LINE * table.count) {
    const language = languageOf(table, options.path);
    const grammar = language === undefined ? undefined : await grammars.load(language);
    const outline =
      grammar && remember(table, grammar, () => segmentByTree(table, grammar, options.shouldStop), bytesOf);
    if (outline !== undefined) return outline;
  }
  return segmentByIndent(table);
}

/** Bytes for each line and scope, with what rankers remember of them: columns, owners, prices, names. */
const LINE_BYTES = 80;
const SCOPE_BYTES = 400;
const NEED_BYTES = 100;

/** About the bytes of an outline in memory; undefined for one that was stopped or refused. */
function bytesOf(outline: Outline | undefined): number | undefined {
  if (outline === undefined) return undefined;
  const { scopes, scopeOf, unitStart, unitEnd, role, parts } = outline;
  const lines =
    LINE_BYTES * scopeOf.length + scopeOf.byteLength + unitStart.byteLength + unitEnd.byteLength + role.byteLength;
  const ofParts =
    parts === undefined
      ? 0
      : parts.partOf.byteLength + parts.isGlue.byteLength + parts.parent.byteLength + parts.needs.length * NEED_BYTES;
  return lines + scopes.length * SCOPE_BYTES + ofParts;
}
