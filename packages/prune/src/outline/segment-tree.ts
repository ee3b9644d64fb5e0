// Outlines by a grammar's marks.
import { type LineTable, lineAt } from "../text/lines.ts";
import { finishOutline, type Outline, ROLE, type Scope, type ScopeKind, type Unit } from "./outline.ts";
import type { Grammar } from "./syntax.ts";

const MAX_ERROR_SHARE = 0.2;
const CLOSER = /^\s*(?:[\])}][\])};,]*.{0,40}|end\b.{0,20}|fi|done|esac)\s*$/;
const IS_LEAD = 1;
const ATOMIC_COMMENT = 12;

/** The outline of code by its grammar; undefined where the grammar cannot read too much of it, or was stopped. */
export function segmentByTree(table: LineTable, grammar: Grammar, shouldStop: () => boolean): Outline | undefined {
  const parsed = grammar.parse(table.text, shouldStop);
  if (parsed === undefined || parsed.errorLines > table.count * MAX_ERROR_SHARE) return undefined;
  const scopes: Omit<Scope, "parent">[] = [];
  const units: Unit[] = [];
  const lead = new Uint8Array(table.count);
  for (const mark of parsed.marks) {
    const { kind, start, end } = mark;
    if (kind === "comment" || kind === "decorator") {
      if (isWholeLine(table, start)) lead.fill(IS_LEAD, start, end + 1);
      if (kind === "decorator") units.push({ start, end, role: 0 });
      if (kind === "comment" && isWholeLine(table, start)) {
        const isLong = end - start >= ATOMIC_COMMENT;
        units.push({ start, end: isLong ? start : end, role: ROLE.comment });
        // The rest of a long comment may go, but not the end of it alone.
        if (isLong && lineAt(table, start).trimStart().startsWith("/*"))
          scopes.push({ kind: "block", name: "", lead: start, start, headerEnd: start, end, closer: end });
      }
    } else if (kind === "import" || kind === "signature" || kind === "statement") {
      units.push({ start, end, role: kind === "statement" ? 0 : ROLE[kind] });
    } else {
      let from = start;
      while (from > 0 && lead[from - 1] === IS_LEAD) from--;
      const closes = mark.isLong === true || (grammar.language !== "python" && CLOSER.test(lineAt(table, end)));
      const closer = end > mark.headerEnd && closes ? end : end + 1;
      scopes.push({
        kind: kind satisfies ScopeKind,
        name: mark.name,
        lead: from,
        start,
        headerEnd: mark.headerEnd,
        end,
        closer,
      });
    }
  }
  const outline = finishOutline(table, scopes, units, grammar.language);
  return parsed.parts === undefined ? outline : { ...outline, parts: parsed.parts };
}

function isWholeLine(table: LineTable, i: number): boolean {
  return /^\s*(?:\/\/|\/\*|\*|#|--|;|@|\[|"|')/.test(lineAt(table, i).slice(0, 200));
}
