// The statistics divided by client, tool, project or day. Pure.
import type { Account } from "./account.ts";
import { addTo, noSums, type OpenSums, type Sums } from "./sums.ts";

/** What `--by` takes. */
const GROUPINGS = ["client", "tool", "project", "day"] as const;
/** One of them. */
export type Grouping = (typeof GROUPINGS)[number];

/** A row: its name, its sessions, its figures. */
export interface Group {
  readonly name: string;
  readonly sessions: number;
  readonly sums: Sums;
}

/** One group for each name, in the order of the names. */
export function groupBy(accounts: readonly Account[], by: Grouping): Group[] {
  const groups = new Map<string, { sessions: number; readonly sums: OpenSums }>();
  for (const account of accounts) {
    const touched = new Set<string>();
    for (const [name, sums] of partsOf(account, by)) {
      const group = groups.get(name) ?? { sessions: 0, sums: noSums() };
      groups.set(name, group);
      addTo(group.sums, sums);
      if (!touched.has(name)) group.sessions++;
      touched.add(name);
    }
  }
  return [...groups]
    .map(([name, group]) => ({ name, ...group }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function partsOf(account: Account, by: Grouping): Iterable<readonly [string, Sums]> {
  if (by === "tool") return account.byTool;
  if (by === "day") return [...account.byHour].map(([hour, sums]) => [hour.slice(0, 10) || "(unknown)", sums] as const);
  return [[account[by] || "(unknown)", account.total]];
}
