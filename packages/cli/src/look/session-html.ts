// One session as one file of HTML that needs nothing else: what the model saw, beside what it would have seen. Made to be
// shared: secrets are redacted by the gate, and the home directory is written as ~.
import { estimateTokens } from "@jeeves/cut";
import type { ShownOutput } from "@jeeves/intercept/replay";
import { tokens } from "../stats/figures.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** Of one text, so many lines are written; a file that a browser cannot open cannot be shared. */
const MAX_LINES = 3_000;
const MAX_CHARS = 8 * 1024 * 1024;

/** A session, ready to be written. */
interface SessionPage {
  readonly client: string;
  readonly startedAt: string;
  readonly policy: string;
  readonly outputs: readonly ShownOutput[];
  /** The one redaction gate. */
  readonly redact: (text: string) => string;
  readonly home: string;
}

interface Row {
  readonly title: string;
  readonly bare: string;
  readonly shown: string | undefined;
  readonly before: number;
  readonly after: number;
}

/** The page, and how many results found no room in it. */
export function toSessionHtml({ client, startedAt, policy, outputs, redact, home }: SessionPage) {
  const clean = (text: string) => redact(home === "/" ? text : text.replaceAll(home, "~"));
  const rows = outputs.filter(({ bare }) => bare.trim() !== "").map((output) => toRow(output, clean));
  const [before, after] = [
    rows.reduce((sum, row) => sum + row.before, 0),
    rows.reduce((sum, row) => sum + row.after, 0),
  ];
  const cuts = rows.filter(({ shown }) => shown !== undefined).length;
  const written: string[] = [];
  let [chars, leftOut] = [0, 0];
  for (const row of rows) {
    const text = toSection(row);
    if (chars + text.length > MAX_CHARS) leftOut++;
    else written.push(text);
    chars += chars + text.length > MAX_CHARS ? 0 : text.length;
  }
  const title = `A session of ${client}, ${startedAt.slice(0, 10)}, bare and with Jeeves`;
  const note = leftOut === 0 ? "" : `<p>${leftOut} results are left out: the page would be too large.</p>`;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${PAGE_STYLE}</style>
<main>
<h1>${escaped(title)}</h1>
<p class="sum"><b>${tokens(before)}</b> tokens of results as they were, <b>${tokens(after)}</b> with Jeeves
(policy ${escaped(policy)}, replayed): ${cuts} of ${rows.length} results cut.</p>
<p>A cut result says what was left out and how to get it back, byte for byte. Results that stay whole are folded.
Secrets are redacted. Made by <code>jeeves look --html</code>.</p>
${note}
${written.join("\n")}
</main>
</html>
`;
  return { html, leftOut, cuts, before, after };
}

function toRow({ step, output, bare, shown }: ShownOutput, clean: (text: string) => string): Row {
  const words = output.kind === "command" ? output.command : describe(step.input);
  const text = clean(bare);
  const cut = shown === undefined ? undefined : clean(shown);
  const before = estimateTokens(text);
  return {
    title: `${step.tool} ${clean(words).replace(/\s+/g, " ").slice(0, 160)}`,
    bare: text,
    shown: cut,
    before,
    after: cut === undefined ? before : estimateTokens(cut),
  };
}

function describe(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  return Object.values(input)
    .filter((value) => typeof value === "string")
    .join(" ");
}

function toSection({ title, bare, shown, before, after }: Row): string {
  const name = escaped(title);
  if (shown === undefined)
    return `<details><summary>${name} <i>${tokens(before)} tokens, whole</i></summary>${block(bare)}</details>`;
  const sides =
    `<div><h3>Bare: ${tokens(before)} tokens</h3>${block(bare)}</div>` +
    `<div><h3>With Jeeves: ${tokens(after)} tokens</h3>${block(shown)}</div>`;
  return `<details open class="cut"><summary>${name} <i>${tokens(before)} → ${tokens(after)} tokens</i></summary><div class="sides">${sides}</div></details>`;
}

function block(text: string): string {
  const lines = text.split("\n");
  const more = lines.length - MAX_LINES;
  const shown = more > 0 ? `${lines.slice(0, MAX_LINES).join("\n")}\n[${more} more lines]` : text;
  return `<pre tabindex="0">${escaped(shown).replace(/^⟦.*⟧$|^\[rest: .*\]$/gm, "<mark>$&</mark>")}</pre>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
