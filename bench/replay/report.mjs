// The figures in words, client by client. Nothing is judged here.
import { print, printTitle } from "../figures.mjs";

const MAX_ROWS = 14;
const MAX_BILL_TOOLS = 8;
const NETS = {
  once: "one turn for all that a cut lost",
  each: "a turn for each call that used some of it",
  traced: "once, only results with a line used later",
  perfect: "every result cut to the lines used later",
};
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const share = (part, whole) => (whole === 0 ? "" : percent(part / whole));

export function printReport(report, { policy, asJson }) {
  if (asJson) return print(JSON.stringify({ policy, ...report }));
  printTitle(`replayed: ${report.sessions} sessions, policy ${policy}`);
  if (report.leftOut > 0) print(`  ${report.leftOut} files left out`);
  for (const [client, figures] of Object.entries(report.clients)) {
    print();
    printClient(client, figures);
  }
}

function printClient(client, { sessions, calls, bill, net, all, byTool, byReason }) {
  print(`${client}: ${sessions} sessions, ${calls} calls, a bill of ${(bill.total / 1e6).toFixed(1)} M input tokens`);
  const { total, starting, misses, output, rest, results } = bill;
  const parts = { "starting prompt": starting, "cache misses": misses, output, "words and the rest": rest };
  const tools = Object.entries(results).sort(([, a], [, b]) => b - a);
  const row = (name, cost) => print(`    ${name.padEnd(34)} ${share(cost, total).padStart(7)}`);
  print("  the bill");
  for (const [name, cost] of Object.entries(parts)) row(name, cost);
  for (const [tool, cost] of tools.slice(0, MAX_BILL_TOOLS)) row(`results of ${tool}`, cost);
  const others = tools.slice(MAX_BILL_TOOLS).reduce((sum, [, cost]) => sum + cost, 0);
  if (others > 0) row("results of other tools", others);
  print(`  ${"net saved".padEnd(46)} of all bills   mean   sessions that lose`);
  for (const [name, words] of Object.entries(NETS)) {
    const { ofAll, mean, lose } = net[name];
    const figures = [percent(ofAll).padStart(10), percent(mean).padStart(8), percent(lose).padStart(12)];
    print(`    ${words.padEnd(46)}${figures.join(" ")}`);
  }
  print(
    `  ${"results of 400 tokens or more".padEnd(32)}  number   cut  tokens cut  asked again  used lines kept    net`,
  );
  for (const [name, sums] of [...Object.entries(byTool).slice(0, MAX_ROWS), ["all", all]]) {
    const { outputs, cuts, saved, tokens, asked, used, usedKept } = sums;
    const counts = [String(outputs).padStart(7), String(cuts).padStart(5), share(saved, tokens).padStart(11)];
    const kept = [share(asked, cuts).padStart(12), share(usedKept, used).padStart(16), percent(sums.net).padStart(7)];
    print(`    ${name.slice(0, 31).padEnd(31)}${[...counts, ...kept].join(" ")}`);
  }
  print(`  cuts that made something visible: ${all.madeVisible}`);
  const reasons = Object.entries(byReason).sort(([, a], [, b]) => b - a);
  print(`  what became of them: ${reasons.map(([name, count]) => `${name} ${count}`).join(", ")}`);
}
