// The note of a rerun in the place of failures that are as before: how many, their names, and what else changed.
import { oneLine } from "@jeeves/base";
import type { FailureReport } from "@jeeves/prune";
import type { ComparedFailures } from "./compare-failures.ts";

/** Up to so many names are listed one by one; more are grouped by their file or suite. */
const MOST_NAMES = 20;
/** Names of other failures, which are also shown in full. */
const MOST_OTHERS = 10;
const NAME_CHARS = 100;
/** A test's file or suite, before its own name. */
const GROUP = /^(?:(.+?)(?: > | › |::)|([^\s/]+)\/)/;

/** The note, on one line in brackets. */
export function rerunNote({ hidden, names, more, changed, fresh, gone }: ComparedFailures): string {
  const findings = hidden.filter((report) => report.place !== undefined);
  const count = names.length + findings.length;
  const listed = [...(names.length === 0 ? [] : [listOf(names)]), ...placesOf(findings)].join("; ");
  const others = [
    ...(more === 0 ? [] : [`${more} more failed as before`]),
    ...(fresh === undefined ? [] : [fresh.length === 0 ? "nothing new" : `${fresh.length} new: ${firstOf(fresh)}`]),
    ...(changed.length === 0 ? [] : [`${changed.length} changed: ${firstOf(changed)}`]),
    ...(gone.length === 0 ? [] : [`${gone.length} not reported any more: ${firstOf(gone)}`]),
  ];
  const before = `${count} ${count === 1 ? "failure" : "failures"} as before, shown at an earlier run of this command: ${listed}`;
  return `[${[before, ...others].join(". ")}]`;
}

function listOf(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return firstOf(names, MOST_NAMES);
  const groups = new Map<string, number>();
  for (const name of names) {
    const [, file, test] = GROUP.exec(name) ?? [];
    const group = file ?? test ?? name;
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  return firstOf(
    [...groups].map(([group, count]) => (count === 1 ? group : `${group} (${count})`)),
    MOST_NAMES,
  );
}

/** The findings of a file by their lines; of many files by how many there are. */
function placesOf(findings: readonly FailureReport[]): string[] {
  const files = new Map<string, number[]>();
  for (const { place } of findings) {
    if (place === undefined) continue;
    const lines = files.get(place.path);
    if (lines === undefined) files.set(place.path, [place.line]);
    else lines.push(place.line);
  }
  const isShort = findings.length <= MOST_NAMES * 5;
  const listed = [...files].map(([path, lines]) =>
    isShort ? `${path}:${lines.join(",")}` : `${path} (${lines.length})`,
  );
  if (isShort) return listed;
  return [firstOf(listed, MOST_NAMES)];
}

function firstOf(names: readonly string[], most = MOST_OTHERS): string {
  const more = names.length - most;
  const first = names.slice(0, most).map((name) => oneLine(name, NAME_CHARS));
  return more <= 0 ? first.join("; ") : `${first.join("; ")} and ${more} more`;
}
