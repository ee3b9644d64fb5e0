// What kept lines need around them to be read: the headers of every scope they stand in, the heads of the branches
// beside theirs, and the lines that close a scope right below what is kept. Marks only what is not yet kept.
import type { Outline } from "./outline.ts";
import { WHY } from "./why.ts";

const SUPPORT = WHY.indexOf("support") + 1;
/** A signature longer than this shows its beginning. */
const HEADER_LINES = 6;
const BRANCHES_SHOWN = 4;

export function addSupport(outline: Outline, kept: Uint8Array): void {
  const { scopes, scopeOf } = outline;
  const touched = new Uint8Array(scopes.length);
  touched[0] = 1;
  for (let i = 0; i < kept.length; i++) {
    if (kept[i] === 0) continue;
    for (let s = scopeOf[i] ?? 0; s > 0 && touched[s] === 0; s = scopes[s]?.parent ?? 0) touched[s] = 1;
  }
  scopes.forEach((scope, s) => {
    if (s === 0 || touched[s] === 0) return;
    const last = Math.min(scope.headerEnd, scope.start + HEADER_LINES - 1);
    for (let i = scope.start; i <= last; i++) if (kept[i] === 0) kept[i] = SUPPORT;
  });
  markBranches(outline, touched, kept);
  // Inner scopes come later, so going backwards closes them from the inside out.
  for (let s = scopes.length - 1; s > 0; s--) {
    const scope = scopes[s];
    if (scope === undefined || touched[s] === 0 || scope.closer > scope.end) continue;
    if (kept[scope.closer - 1] !== 0)
      for (let i = scope.closer; i <= scope.end; i++) if (kept[i] === 0) kept[i] = SUPPORT;
  }
}

/** The other halves of an if, a try or a short switch: without them what is kept reads as unconditional. */
function markBranches({ scopes }: Outline, touched: Uint8Array, kept: Uint8Array): void {
  const branches = new Uint16Array(scopes.length);
  for (const scope of scopes) if (scope.kind === "branch") branches[scope.parent] = (branches[scope.parent] ?? 0) + 1;
  for (const scope of scopes) {
    const { kind, parent, start } = scope;
    const isHalf = kind === "branch" && touched[parent] === 1 && scopes[parent]?.kind === "block";
    if (isHalf && (branches[parent] ?? 0) <= BRANCHES_SHOWN && kept[start] === 0) kept[start] = SUPPORT;
  }
}
