// What the `after:` lines of a plan mean: titles of the same plan, or ids. No two titles may be the same, and no item
// may wait for itself, also by way of its epic.
import { suggest } from "@jeeves/base";
import { toArtefact } from "../../artefact/artefact.ts";
import { buildGraph } from "../../graph/graph.ts";
import { type Digits, formatId, readId } from "../../ids.ts";
import type { DocumentProblem } from "../document.ts";
import type { PlanItem, PlanReference } from "./parse-plan.ts";

/** A title with more of them has to be quoted. */
const MAX_COMMAS = 8;

/** What one item waits for: the numbers of items of the plan, and ids of the haven. */
export interface Resolved {
  readonly items: readonly number[];
  readonly ids: readonly { readonly id: string; readonly line: number }[];
}

/** The same words, whatever their case and spaces. */
export function titleKey(title: string): string {
  return title.normalize("NFC").replace(/\s+/g, " ").replace(/ ?, ?/g, ",").trim().toLowerCase();
}

/** Finds what each item waits for. */
export function resolvePlan(
  items: readonly PlanItem[],
  digits: Digits,
): { readonly resolved: readonly Resolved[]; readonly problems: readonly DocumentProblem[] } {
  const problems: DocumentProblem[] = [];
  const numberOf = new Map<string, number>();
  items.forEach((item, number) => {
    const key = `${item.kind} ${titleKey(item.title)}`;
    const first = items[numberOf.get(key) ?? -1];
    if (first === undefined) numberOf.set(key, number);
    else if (item.title !== "") {
      const message = `the ${item.kind} ${JSON.stringify(item.title)} is on line ${first.line} already; give one of them another title`;
      problems.push({ line: item.line, message });
    }
  });
  const resolved = items.map((item): Resolved => {
    const own: number[] = [];
    const ids: { id: string; line: number }[] = [];
    const find = (text: string): number | undefined => numberOf.get(`${item.kind} ${titleKey(text)}`);
    for (const { text, line } of withCommas(item.after, (name) => find(name) !== undefined)) {
      const number = find(text);
      const id = readId(text);
      if (number !== undefined) own.push(number);
      else if (id !== undefined && id.kind === item.kind) ids.push({ id: formatId(id, digits), line });
      else problems.push({ line, message: unknownName(items, item, text) });
    }
    return { items: [...new Set(own)], ids };
  });
  if (problems.length === 0) problems.push(...cyclesIn(items, resolved));
  return { resolved, problems };
}

/** `after: Read, then write`: names of one line that are a title together stand for it. */
function withCommas(after: readonly PlanReference[], isTitle: (name: string) => boolean): PlanReference[] {
  const found: PlanReference[] = [];
  for (let at = 0; at < after.length; ) {
    const line = after[at]?.line ?? 0;
    const rest = after.slice(at, at + MAX_COMMAS + 1).filter((one) => one.line === line);
    let length = rest.length;
    const joined = (): string =>
      rest
        .slice(0, length)
        .map((one) => one.text)
        .join(", ");
    while (length > 1 && !isTitle(joined())) length -= 1;
    found.push({ text: joined(), line });
    at += length;
  }
  return found;
}

function unknownName(items: readonly PlanItem[], item: PlanItem, text: string): string {
  const titles = items.filter((one) => one.kind === item.kind).map((one) => one.title);
  const meant = suggest(text, titles);
  const id = item.kind === "epic" ? "E001" : "T042";
  const right =
    meant === undefined
      ? `write the title of a ${item.kind} of this plan, or an id like ${id}`
      : `did you mean ${JSON.stringify(meant)}?`;
  return `no ${item.kind} of this plan is called ${JSON.stringify(text)}; ${right}`;
}

/** Tasks among themselves, epics among themselves, then both: a task waits for its epic's epics, these for their tasks. */
function cyclesIn(items: readonly PlanItem[], resolved: readonly Resolved[]): DocumentProblem[] {
  const own = (number: number): readonly number[] => resolved[number]?.items ?? [];
  const selves = items.flatMap((_, number) => (own(number).includes(number) ? [[number]] : []));
  const plain = selves.length > 0 ? selves : walksIn(items, own);
  const cycles =
    plain.length > 0
      ? plain
      : walksIn(items, (number) => {
          const item = items[number];
          if (item?.kind === "epic") {
            return [...own(number), ...items.flatMap((one, at) => (one.parent === number ? [at] : []))];
          }
          return [...own(number), ...(item?.parent === undefined ? [] : own(item.parent))];
        });
  return cycles.map((cycle) => {
    const [first = 0] = cycle;
    const path = [...cycle, first].map((number) => items[number]?.title ?? "").join(" → ");
    return { line: items[first]?.line ?? 1, message: `a cycle: ${path}; take one of these after: lines out` };
  });
}

function walksIn(items: readonly PlanItem[], waitsFor: (number: number) => readonly number[]): number[][] {
  const nodes = items.map(({ kind, title }, number) =>
    toArtefact({ kind, id: String(number), path: "", title, blockedBy: waitsFor(number).map(String) }),
  );
  return buildGraph(nodes).cycles.map((cycle) => cycle.map(Number));
}
