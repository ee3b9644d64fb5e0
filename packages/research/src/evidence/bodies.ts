// A text as bodies: the functions and sections that an answer shows whole or pruned, and what stands between them. Every
// line belongs to one body, the innermost; a function that is short enough is one body with all that is nested in it.
import type { Outline } from "@jeeves/prune";

/** Lines are 0-based and inclusive. */
export interface Body {
  readonly kind: "function" | "rest";
  readonly name: string;
  /** Name of what it stands in; "" at the top of its file. */
  readonly parentName: string;
  readonly start: number;
  /** First line that is no comment or decorator of it. */
  readonly headerStart: number;
  readonly headerEnd: number;
  readonly end: number;
  readonly depth: number;
}

/** The bodies of one text. */
export interface Bodies {
  readonly bodies: readonly Body[];
  /** Index of the body that owns each line. */
  readonly ownerOf: Int32Array;
}

/** Functions of so many lines or more are split: their nested functions are bodies of their own. */
const WHOLE_LINES = 80;

/**
 * Splits a text by its outline. Functions and sections under 80 lines stay whole; longer ones are split at nested
 * functions.
 */
export function bodiesOf({ scopes, scopeOf }: Outline): Bodies {
  const children: number[][] = scopes.map(() => []);
  scopes.forEach(({ parent }, s) => {
    if (s > 0) children[parent]?.push(s);
  });
  const bodies: Body[] = [];
  const ownerOf = new Int32Array(scopeOf.length).fill(-1);
  const add = (s: number, kind: Body["kind"], depth: number): void => {
    const scope = scopes[s];
    if (scope === undefined) return;
    for (let i = scope.lead; i <= scope.end; i++) if (ownerOf[i] === -1) ownerOf[i] = bodies.length;
    bodies.push({
      kind,
      name: scope.name,
      parentName: nameAbove(scope.parent),
      start: scope.lead,
      headerStart: scope.start,
      headerEnd: scope.headerEnd,
      end: scope.end,
      depth,
    });
  };
  const nameAbove = (s: number): string => {
    for (let at = s; at > 0; at = scopes[at]?.parent ?? 0) if (scopes[at]?.name) return scopes[at]?.name ?? "";
    return "";
  };
  const hasFunction = (s: number): boolean => isBody(s) || (children[s] ?? []).some(hasFunction);
  const isBody = (s: number): boolean => {
    const kind = scopes[s]?.kind;
    return kind === "function" || kind === "section";
  };
  const visit = (s: number, depth: number): void => {
    const scope = scopes[s];
    if (scope === undefined) return;
    const isShort = scope.end - scope.lead < WHOLE_LINES;
    const isLeaf = !(children[s] ?? []).some(hasFunction);
    if (s > 0 && isBody(s) && (isShort || isLeaf)) {
      add(s, "function", depth);
      return;
    }
    for (const child of children[s] ?? []) visit(child, depth + 1);
    if (s === 0 || isBody(s) || scope.kind === "class") add(s, "rest", depth);
  };
  visit(0, 0);
  return { bodies, ownerOf };
}
