// Pages by their headings, tables with their header, endless lines in parts.
import { describe, expect, it } from "vitest";
import { prune, renderPruned, shortMarker } from "../../src/index.ts";
import { backTogether } from "./back-together.ts";

async function shown(text: string, focus: string, options: Partial<Parameters<typeof prune>[1]> = {}): Promise<string> {
  const pruned = await prune(text, { focus, insideLines: true, amount: { mode: "share", keep: 0.2 }, ...options });
  expect(backTogether(text, pruned)).toBe(text);
  const kept = renderPruned(text, pruned, { marker: shortMarker });
  expect(kept.length).toBeLessThan(text.length * 0.35);
  return kept;
}

const SECTIONS = Array.from({ length: 25 }, (_, i) =>
  [
    `<h2 id="part-${i}">Part ${i}: ${i === 17 ? "retries" : "colours"}</h2>`,
    `<p>${i === 17 ? "A request is sent again <b>four</b> times at most." : `The ${i}th colour is chosen by the painter of the day.`}</p>`,
    "<p>More words that fill the page, as pages have them.</p>",
  ].join("\n"),
);
const PAGE = [
  "<!doctype html><html><head><title>Manual</title><style>p { color: red }</style>",
  '<script>if (retries) document.write("</div>", "request sent again retries");</script></head><body>',
  `<nav><ul>${Array.from({ length: 30 }, (_, i) => `<li><a href="#part-${i}">Part ${i}</a></li>`).join("\n")}</ul></nav>`,
  "<main><h1>Manual of the &amp; painter</h1>",
  ...SECTIONS,
  "</main></body></html>",
].join("\n");

describe("pages", () => {
  it.each([
    ["many lines", PAGE],
    ["one line", PAGE.replaceAll("\n", " ")],
    ["without closing tags", PAGE.replace(/<\/(?:p|li|ul|nav|main|body|html)>/g, "")],
    ["cut off", PAGE.slice(0, -900)],
  ])("X-20 %s: the section that answers stays under its heading; markers name other sections", async (_, text) => {
    const kept = await shown(text, "how often is a request sent again?");
    expect(kept).toContain("A request is sent again <b>four</b> times at most.");
    expect(kept).toContain("Part 17: retries");
    expect(kept).not.toContain("document.write");
    expect(kept).toMatch(/⟦[^⟧]*: [^⟧]*Part \d+/);
  });

  it("a row of a table brings the table's header", async () => {
    const rows = Array.from({ length: 80 }, (_, i) => `<tr><td>key-${i}</td><td>${i * 7}</td><td>seconds</td></tr>`);
    const text = `<html><body><h1>Limits</h1><table>\n<tr><th>Name</th><th>Default</th><th>Unit</th></tr>\n${rows.join("\n")}\n</table></body></html>`;
    const kept = await shown(text, "what is the default of key-33?");
    expect(kept).toContain("<td>key-33</td><td>231</td>");
    expect(kept).toContain("<th>Default</th>");
  });
});

const people = (sign: string) =>
  ["id", "name", "town", "note"].join(sign) +
  "\n" +
  Array.from({ length: 300 }, (_, i) =>
    [i, `name-${i}`, `town-${i % 40}`, i === 211 ? '"two\nlines"' : "none"].join(sign),
  ).join("\n");

describe("tables", () => {
  it.each([",", ";", "\t", "|"])("X-20 values with %j: the header and the record that answers stay", async (sign) => {
    const text = people(sign);
    const kept = await shown(text, "which note has name-211?", { amount: { mode: "auto" } });
    expect(kept.startsWith(text.slice(0, text.indexOf("\n")))).toBe(true);
    expect(kept).toContain(["211", "name-211", `town-${211 % 40}`, '"two\nlines"'].join(sign));
  });

  it("of 2,000 columns the one that is asked for stays with its name and the row's", async () => {
    const row = (at: (column: number) => string) => Array.from({ length: 2_000 }, (_, column) => at(column)).join(",");
    const rows = Array.from({ length: 40 }, (_, i) =>
      row((column) => (column === 0 ? `host-${i}` : `v${i}x${column}`)),
    );
    const text = [row((column) => `metric_${column}`), ...rows].join("\n");
    const kept = await shown(text, "what is metric_1234 of host-29?", { path: "metrics.csv" });
    expect(kept).toContain("v29x1234");
    expect(kept).toContain("metric_1234");
    expect(kept).toContain("host-29");
  });

  const pods = Array.from({ length: 120 }, (_, i) =>
    [
      `shop-${i}-7f9c`.padEnd(24),
      "1/1".padEnd(8),
      (i === 77 ? "CrashLoopBackOff" : "Running").padEnd(20),
      String(i % 4).padEnd(11),
      `${i}d`,
    ].join(""),
  );
  it.each([
    [
      "kubectl",
      `NAME                    READY   STATUS              RESTARTS   AGE\n${pods.join("\n")}\n`,
      "shop-77-7f9c",
    ],
    [
      "psql",
      ` id | name\n----+------\n${Array.from({ length: 200 }, (_, i) => `  ${i} | pod ${i === 77 ? "shop-77" : i}`).join("\n")}\n(200 rows)\n`,
      "shop-77",
    ],
    [
      "ls -l",
      `total 9\n${Array.from({ length: 200 }, (_, i) => `-rw-r--r-- 1 root root ${1000 + i} Jan  1 10:00 shop-${i}.txt`).join("\n")}\n`,
      "shop-77.txt",
    ],
  ])("X-20 %s: the names above the columns and the row that answers stay", async (_, text, row) => {
    const kept = await shown(text, `how is ${row}?`, { amount: { mode: "auto" } });
    expect(kept.split("\n")[0]).toBe(text.split("\n")[0]);
    expect(kept).toContain(row);
  });
});

describe("endless lines", () => {
  it.each([
    [
      "minified",
      Array.from({ length: 300 }, (_, i) => `function f${i}(a){return a*${i}}`).join(";") +
        ";function retryDelay(n){return 2**n}",
    ],
    [
      "prose",
      `${"The painter mixes colours in the morning and rests at noon. ".repeat(200)}The retry delay doubles each time. ${"He paints. ".repeat(100)}`,
    ],
  ])("X-20 %s: the part that answers stays", async (_, text) => {
    expect(await shown(text, "what is the retry delay?")).toMatch(/retryDelay|retry delay doubles/);
  });

  it("data in base64 is cut anywhere, and comes back", async () => {
    const text = `${"QUJDREVG".repeat(20_000)}\n`;
    const pruned = await prune(text, { focus: "anything", insideLines: true });
    expect(backTogether(text, pruned)).toBe(text);
  });

  it("numbered lines: places inside of a line are those of the text with its numbers", async () => {
    const row = (i: number) =>
      `${i}\t{"row":${i},${Array.from({ length: 40 }, (_, k) => `"key${i}x${k}":"value ${k}"`).join(",")}}`;
    const text = Array.from({ length: 14 }, (_, i) => row(i + 1)).join("\n");
    const pruned = await prune(text, {
      focus: "what is key9x33?",
      insideLines: true,
      amount: { mode: "share", keep: 0.2 },
    });
    expect(backTogether(text, pruned)).toBe(text);
  });
});
