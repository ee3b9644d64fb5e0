// The overview in words: for a terminal, and as Markdown to share. Numbers and names of files, nothing that was read.
import { oneLine } from "@jeeves/base";
import type { Overview, PolicyFigures } from "@jeeves/viewer";
import { counted, percent, signed, tokens } from "../stats/figures.ts";
import { shownPath } from "../stats/shown-path.ts";
import type { Paint } from "../terminal/paint.ts";

const MAX_TOOLS = 5;
const NAME_WIDTH = 20;
/** Printed first: it answers what people ask first. */
export const LOCAL =
  "Read from your clients' transcripts on this machine. Nothing leaves it, and nothing is written to them.";

/** What a table has: a title, its head, its rows. */
interface Table {
  readonly title: string;
  readonly note?: string;
  readonly head?: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The overview on one screen. */
export function toScreen(
  overview: Overview,
  {
    paint,
    command,
    isConnected,
  }: { readonly paint: Paint; readonly command: (words: string) => string; readonly isConnected: boolean },
): string[] {
  const next = isConnected ? modeLines(command) : setupLines(command);
  if (overview.sessions === 0) return [...emptyLines(overview), ...next];
  return [
    paint("bold", headlineOf(overview)),
    paint("dim", LOCAL),
    ...tablesOf(overview).flatMap((table) => ["", paint("bold", table.title), ...screenRows(table, paint)]),
    ...skippedLines(overview).map((line) => paint("dim", line)),
    "",
    ...next,
  ];
}

/** The overview as Markdown. */
export function toMarkdown(overview: Overview): string {
  const tables = tablesOf(overview).flatMap(({ title, note, head, rows }) => {
    const columns = Math.max(...rows.map((row) => row.length), head?.length ?? 0);
    // Markdown drops the indent of a part of the row above it, so that is a dash.
    const line = (cells: readonly string[]) =>
      `| ${cells.map((cell) => cell.replace(/^ {2}/, "– ").trim().replaceAll("|", "\\|")).join(" | ")} |`;
    const top = head ?? Array.from({ length: columns }, () => "");
    const table = rows.length === 0 ? [] : [line(top), `|${" --- |".repeat(columns)}`, ...rows.map(line), ""];
    return [`## ${title}`, "", ...(note === undefined ? [] : [note, ""]), ...table];
  });
  const skipped = overview.skipped.map((line) => `- ${line}`);
  return [
    `# ${headlineOf(overview)}`,
    "",
    "Made by `jeeves look` from transcripts on one machine: numbers and names of files only.",
    "",
    ...(overview.sessions === 0 ? [] : tables),
    ...(skipped.length === 0 ? [] : ["## Left out", "", ...skipped, ""]),
  ].join("\n");
}

/** `58 sessions since 2026-11-11: 1,204 calls, 41 M tokens (Claude Code 50, Codex 8)`. */
function headlineOf({ sessions, calls, bill, clients, since }: Overview): string {
  const of = clients.map((client) => `${client.title} ${client.sessions}`).join(", ");
  const day = since.startsWith("1970") ? "" : ` since ${since.slice(0, 10)}`;
  const figures = `${calls.toLocaleString("en")} ${calls === 1 ? "call" : "calls"}, ${tokens(bill)} tokens`;
  return sessions === 0 ? `No sessions${day}` : `${counted(sessions, "session")}${day}: ${figures} (${of})`;
}

function tablesOf(overview: Overview): Table[] {
  return [billTable(overview), unseenTable(overview), againTable(overview), replayTable(overview)];
}

function billTable({ parts, bill }: Overview): Table {
  const row = (name: string, cost: number) => [name, tokens(cost), percent(bill > 0 ? cost / bill : 0)];
  const tools = parts.filter(({ isTool }) => isTool);
  const others = tools.slice(MAX_TOOLS).reduce((sum, { cost }) => sum + cost, 0);
  const shown = new Set(tools.slice(0, MAX_TOOLS));
  const rows = parts
    .filter((part) => !part.isTool || shown.has(part))
    .map((part) => row(`${part.isTool ? "  " : ""}${oneLine(part.name, NAME_WIDTH)}`, part.cost));
  const after = rows.findIndex(([name]) => name === "output");
  if (others > 0) rows.splice(after, 0, row("  other tools", others));
  return { title: "The bill, in plain input tokens", rows: [...rows, row("in all", bill)] };
}

function unseenTable({ cutFailures: { count, blind } }: Overview): Table {
  const title = "Failures that the client had cut before the model saw them";
  if (count === 0) return { title, note: "None: no failing command was longer than what its client shows.", rows: [] };
  const none = blind === 0 ? "each still showed a failure" : `${blind} showed no failure at all`;
  return { title, note: `${counted(count, "failing command")} came to the model cut; ${none}.`, rows: [] };
}

function againTable({ readAgain: { files, reads, tokens: size, worst } }: Overview): Table {
  const title = "The same text read again in the same context";
  if (reads === 0) return { title, note: "None.", rows: [] };
  const note = `${counted(reads, "read")} of ${counted(files, "file")} brought ${tokens(size)} tokens that the model already had.`;
  return {
    title,
    note,
    rows: worst.map((file) => [shownPath(file.path, 60), counted(file.reads, "time"), tokens(file.tokens)]),
  };
}

function replayTable({ replay: { sessions, billShare, results, policies } }: Overview): Table {
  const title = "What Jeeves would have done (replayed)";
  if (sessions === 0) return { title, note: "No session could be replayed.", rows: [] };
  const of = `${counted(sessions, "session")} with ${percent(billShare)} of the bill, ${results} results of 400 tokens or more`;
  return {
    title,
    note: `${of}. A replay cannot show a run that goes astray for want of a line; jeeves trial can.`,
    head: ["policy", "cuts", "saved", "asked again", "lost", "net", "of the bill", "sessions that lose"],
    rows: policies.map(policyRow),
  };
}

function policyRow({ policy, cuts, saved, asked, lost, net, netShare, sessionsThatLose }: PolicyFigures): string[] {
  const figures = [signed(saved), String(asked), signed(-lost), signed(net), percent(netShare)];
  return [policy, String(cuts), ...figures, String(sessionsThatLose)];
}

function screenRows({ note, head, rows }: Table, paint: Paint): string[] {
  const all = head === undefined ? rows : [head, ...rows];
  const widths = (all[0] ?? []).map((_, k) => Math.max(...all.map((row) => row[k]?.length ?? 0)));
  const lines = all.map((row) =>
    row.map((cell, k) => (k === 0 ? cell.padEnd(Math.max(NAME_WIDTH, widths[k] ?? 0)) : cell.padStart(widths[k] ?? 0))),
  );
  const shown = lines.map((cells) => `  ${cells.join("  ")}`.trimEnd());
  const [first, ...others] = shown;
  const table = head === undefined || first === undefined ? shown : [paint("dim", first), ...others];
  return [...(note === undefined ? [] : [`  ${note}`]), ...table];
}

function skippedLines({ skipped }: Overview): string[] {
  return skipped.length === 0 ? [] : ["", "left out", ...skipped.map((line) => `  ${line}`)];
}

function emptyLines(overview: Overview): string[] {
  return [`${headlineOf(overview)}.`, LOCAL, ...skippedLines(overview), ""];
}

/** Where no cut was ever counted: nothing is connected, or not for long. */
function setupLines(command: (words: string) => string): string[] {
  return [
    nextLine(
      command("setup --shadow"),
      "connect your clients and count what would be saved; your agent sees no difference",
    ),
    nextLine(command("setup"), `connect them and cut; ${command("uninstall")} takes everything out again`),
  ];
}

function modeLines(command: (words: string) => string): string[] {
  return [
    nextLine(command("shadow"), "count what would be saved, and show everything"),
    nextLine(command("on"), "cut"),
    nextLine(command("stats"), "what the cuts so far were worth"),
  ];
}

function nextLine(command: string, what: string): string {
  return `  ${command.padEnd(26)} ${what}`;
}
