// The analyzer's answer where code is shown beside it (C-24): which bodies call which, in words; the lines
// themselves and their references are in the evidence.
import type { RoleResult } from "../runtime/outcome.ts";
import { callsOf, type RankedBody } from "./choose-bodies.ts";

/** The bodies as they were given, and the analyzer's result about them. */
export interface Traced {
  readonly bodies: readonly RankedBody[];
  readonly result: RoleResult;
}

const BODIES = 6;

/** Notes on which of the six best functions call which. `limited`: the budget refused a file. */
export function traceBodies(
  bodies: readonly RankedBody[],
  {
    confidence,
    limited,
    notes: most,
  }: { readonly confidence: RoleResult["confidence"]; readonly limited: boolean; readonly notes: number },
): Traced {
  const best = bodies.filter(({ kind, name }) => kind === "function" && name !== "").slice(0, BODIES);
  const names = new Set(best.map(({ name }) => name));
  const notes = best.flatMap((body) => {
    const called = [...callsOf(body)].filter((name) => names.has(name) && name !== body.name);
    return called.length === 0 ? [] : [`${scopeOf(body)} calls ${called.join(", ")}`];
  });
  return {
    bodies,
    result: {
      summary: "See evidence.",
      references: [],
      key_findings: notes.slice(0, most),
      confidence,
      notes: limited ? "limits on files or bytes may have truncated the result" : null,
    },
  };
}

/** `Class.method`, or the name alone. */
export function scopeOf({ name, parentName, kind }: RankedBody): string {
  if (kind === "rest") return name;
  return parentName === "" ? name : `${parentName}.${name}`;
}
