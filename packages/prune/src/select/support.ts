// What kept lines need around them to be understood: the headers of every scope around them, the heads of the branches beside
// theirs, and the lines that close a scope.
import { type Outline, ROLE, type Scope } from "../outline/outline.ts";
import { completeParts } from "../outline/parts.ts";
import { WHY } from "./why.ts";

const SUPPORT = WHY.indexOf("support") + 1;
/** A signature longer than this shows its beginning. */
const HEADER_LINES = 30;
const BRANCHES_SHOWN = 6;
const BODY_LOOK = 12;

/** Adds to `kept` what the kept lines need. */
export function addSupport(outline: Outline, kept: Uint8Array): void {
  const { scopes, scopeOf, parts } = outline;
  const touched = new Uint8Array(scopes.length);
  touched[0] = 1;
  for (let i = 0; i < kept.length; i++) {
    if (kept[i] === 0) continue;
    for (let s = scopeOf[i] ?? 0; s > 0 && touched[s] === 0; s = scopes[s]?.parent ?? 0) touched[s] = 1;
  }
  scopes.forEach((scope, s) => {
    if (s === 0 || touched[s] === 0) return;
    showHeader(scope, kept);
  });
  markBranches(outline, touched, kept);
  scopes.forEach((scope, s) => {
    if (s === 0 || kept[scope.start] === 0) return;
    showHeader(scope, kept);
    if (parts === undefined && scope.closer > scope.end) openBody(outline, scope, kept);
  });
  if (parts !== undefined) {
    completeParts(parts, kept, SUPPORT);
    return;
  }
  // Inner scopes come later, so going backwards closes them from the inside out.
  for (let s = scopes.length - 1; s > 0; s--) {
    const scope = scopes[s];
    if (scope === undefined || kept[scope.start] === 0) continue;
    for (let i = scope.closer; i <= scope.end; i++) if (kept[i] === 0) kept[i] = SUPPORT;
  }
}

function showHeader(scope: Scope, kept: Uint8Array): void {
  const last = Math.min(scope.headerEnd, scope.start + HEADER_LINES - 1);
  for (let i = scope.start; i <= last; i++) if (kept[i] === 0) kept[i] = SUPPORT;
}

/**
 * Keeps a line of the body of a scope that nothing closes, its shortest early statement: a header alone would not be
 * readable.
 */
function openBody({ unitEnd, role }: Outline, scope: Scope, kept: Uint8Array): void {
  let best = -1;
  for (let i = scope.headerEnd + 1; i <= scope.end; i = (unitEnd[i] ?? i) + 1) {
    if (kept[i] !== 0) return;
    const isIdle = ((role[i] ?? 0) & (ROLE.blank | ROLE.comment)) !== 0;
    const lines = (unitEnd[i] ?? i) - i;
    if (!isIdle && i - scope.headerEnd < BODY_LOOK && (best < 0 || lines < (unitEnd[best] ?? best) - best)) best = i;
  }
  if (best >= 0) for (let i = best; i <= (unitEnd[best] ?? best); i++) kept[i] = SUPPORT;
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
