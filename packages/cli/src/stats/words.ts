// The statistics in words for a terminal: the first line, the bill by part, what the cuts were worth, and what can be
// done about the starting prompt.

import { oneLine } from "@jeeves/base";
import { TOKEN_WORTH } from "@jeeves/cut";
import { ownCommand } from "../terminal/own-command.ts";
import type { Account } from "./account.ts";
import { counted, headline, percent, signed, tokens } from "./figures.ts";
import { type Group, groupBy } from "./groups.ts";
import type { PromptFilling } from "./prompt-filling.ts";
import { shownPath } from "./shown-path.ts";
import { lostOf, type Statistics } from "./statistics.ts";
import { billOf, netOf, netShareOf, shareOf } from "./sums.ts";

const MAX_TOOLS = 6;
const MAX_LOST = 3;
const MAX_PROMPT_PARTS = 8;
const NAME_WIDTH = 18;

/** All lines, the first one in the form of `headline`. */
export function linesOf(
  found: Statistics,
  { filling, sinceMs }: { readonly filling: PromptFilling; readonly sinceMs: number },
): string[] {
  const { sessions, others, total, othersTotal } = found;
  const hasCuts = total.cuts + othersTotal.cuts + total.shadowCuts + othersTotal.shadowCuts > 0;
  const nothing = found.hasEarlierCuts
    ? "nothing was cut in this period: --since all goes back to the first cut"
    : "nothing was cut yet";
  if (sessions.length === 0 && others.length === 0) return [nothing, ...notesOf(found)];
  return [
    headline(found),
    ...(sessions.length === 0 ? [] : ["", ...billLines(found, sinceMs), "", ...(hasCuts ? netLines(found) : [])]),
    ...(sessions.length > 0 && !hasCuts ? [nothing] : []),
    ...fillingLines(filling),
    ...notesOf(found),
  ];
}

function billLines({ total, sessions }: Statistics, sinceMs: number): string[] {
  const bill = billOf(total);
  const row = (name: string, value: number) =>
    `${columns(name, tokens(value))}  ${percent(shareOf(value, bill)).padStart(8)}`;
  const tools = groupBy(sessions, "tool")
    .filter(({ sums }) => sums.results > 0)
    .sort((a, b) => b.sums.results - a.sums.results);
  const more = tools.slice(MAX_TOOLS);
  const rest = more.reduce((sum, { sums }) => sum + sums.results, 0);
  return [
    `the bill${sinceMs > 0 ? ` since ${new Date(sinceMs).toISOString().slice(0, 10)}` : ""}, in plain input tokens`,
    row("starting prompt", total.starting),
    row("cache misses", total.misses),
    row("results", total.results),
    ...tools.slice(0, MAX_TOOLS).map(({ name, sums }) => row(`  ${oneLine(name, NAME_WIDTH - 2)}`, sums.results)),
    ...(more.length === 0 ? [] : [row(`  ${counted(more.length, "other tool")}`, rest)]),
    row("output", total.output),
    row("the rest", total.rest),
    row("in all", bill),
  ];
}

function netLines({ total, lost }: Statistics): string[] {
  const isRed = netOf(total) < 0;
  return [
    columns("saved", signed(total.saved)),
    ...(total.visible > 0 ? [columns("made visible", signed(-total.visible))] : []),
    columns("came back", signed(-total.back)),
    columns("own surface", signed(-total.surface)),
    `${columns("net", signed(netOf(total)))}${isRed ? `  a loss: try ${ownCommand("shadow")}` : ""}`,
    "",
    `asked again  ${total.actual} of ${counted(total.riskCuts, "cut")}, ${total.predicted.toFixed(1)} predicted`,
    ...lost.slice(0, MAX_LOST).map(lostLine),
    ...(total.stopped === 0 ? [] : [`stopped      ${counted(total.stopped, "session")} cut no longer`]),
  ];
}

function lostLine({ client, project, firstMs, total }: Account): string {
  const day = Number.isFinite(firstMs) ? new Date(firstMs).toISOString().slice(0, 10) : "";
  return `lost         ${signed(netOf(total))} in ${client} on ${day}, ${shownPath(project, 60)}`;
}

function fillingLines({ firstPrompt, parts, files, servers }: PromptFilling): string[] {
  if (firstPrompt === undefined) return [];
  const sizes = [
    ...parts.slice(0, MAX_PROMPT_PARTS),
    ...files.map(({ path, size }) => ({ name: shownPath(path, 50), size })),
  ];
  return [
    "",
    `a session starts with ${tokens(firstPrompt)} tokens (median)${sizes.length === 0 ? "" : ", of which"}`,
    ...sizes.map(({ name, size }) => columns(oneLine(name, 50), tokens(size), 50)),
    ...servers.map(
      ({ client, names }) => `  MCP servers of ${client}: ${names.map((name) => oneLine(name, 40)).join(", ")}`,
    ),
  ];
}

/** What the figures leave out, and why. */
export function notesOf({ total, othersTotal, others, byHand, transcripts }: Statistics): string[] {
  const older = total.olderCuts + othersTotal.olderCuts;
  const { unreadable, withoutUsage, leftOut } = transcripts;
  const otherNet = signed(netOf(othersTotal));
  const notes = [
    ...(older === 0 ? [] : [`${counted(older, "older cut")} ${older === 1 ? "is" : "are"} not comparable`]),
    ...(others.length === 0
      ? []
      : [
          `${counted(others.length, "session")} without a transcript: net about ${otherNet} at ${TOKEN_WORTH} for each token ` +
            `(${lostOf(others).length} lost), in no share above`,
        ]),
    ...(byHand.cuts + byHand.recoveries === 0 ? [] : [`by hand     ${byHandWords(byHand)}, not counted`]),
    ...(unreadable === 0 ? [] : [`${counted(unreadable, "transcript")} cannot be read`]),
    ...(withoutUsage === 0 ? [] : [`${counted(withoutUsage, "transcript")} without any usage that we know`]),
    ...(leftOut === 0 ? [] : [`${counted(leftOut, "older transcript")} left out`]),
  ];
  return notes;
}

function byHandWords({ cuts, recoveries }: Statistics["byHand"]): string {
  const parts = [
    ...(cuts === 0 ? [] : [counted(cuts, "cut")]),
    ...(recoveries === 0 ? [] : [`${recoveries} ${recoveries === 1 ? "recovery" : "recoveries"}`]),
  ];
  return parts.join(", ");
}

/** One row for each group. */
export function tableOf(by: string, groups: readonly Group[]): string[] {
  const rows = groups.map(({ name, sessions, sums }) => [
    shownPath(name, 60),
    String(sums.cuts),
    String(sessions),
    tokens(billOf(sums)),
    signed(sums.saved),
    signed(-(sums.back + sums.visible)),
    signed(-sums.surface),
    signed(netOf(sums)),
    billOf(sums) > 0 ? percent(netShareOf(sums)) : "",
  ]);
  const table = [[by, "cuts", "sessions", "bill", "saved", "back", "surface", "net", "share"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const toLine = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  return ["", ...table.map((row) => toLine(row).trimEnd())];
}

function columns(name: string, value: string, width = NAME_WIDTH): string {
  return `  ${name.padEnd(width)} ${value.padStart(8)}`;
}
