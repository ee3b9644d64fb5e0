// `jeeves look`, the built command, on transcripts in the shapes of both clients, whole, torn, missing and large.
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript, codexTranscript, type Step, type StepTool } from "../../../test/transcript-writer.mjs";
import { at, jeeves, put } from "./init-given.ts";

const A = "aaaaaaaa-1111-4222-8333-444455556666";
const B = "bbbbbbbb-1111-4222-8333-444455556666";
const C = "cccccccc-1111-4222-8333-444455556666";
const LATER_S = Date.UTC(2026, 11, 1) / 1000;
const time = (minute: number) => new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString();
const claude = (session: string) => `home/.claude/projects/-p/${session}.jsonl`;
const codex = (session: string) => `home/.codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-${session}.jsonl`;
const write = (file: string, text: string) => {
  put(file, text);
  utimesSync(at(file), LATER_S, LATER_S);
};
const lookAt = (...words: readonly string[]) => {
  const done = jeeves("look", "--since", "all", ...words);
  expect(done.stderr.replace(/^wrote .*\n/gm, "")).toBe("");
  expect(done.status).toBe(0);
  return done.stdout;
};
const look = (...words: readonly string[]) => JSON.parse(lookAt("--json", ...words));

const SOURCE = Array.from({ length: 40 }, (_, i) => `export const setting${i} = load("${i}");`).join("\n");
const LOG = [
  ...Array.from({ length: 900 }, (_, i) => `  ok ${i + 1} module_${i % 7} handles case ${i} in ${i % 13} ms`),
  "  not ok 901 the invoice total was 41.5 and should be 42",
  "FAILED (failures=1)",
].join("\n");
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const read: StepTool = { tool: "Read", input: { file_path: "/p/a.ts" }, text: SOURCE };
/** A step for each list of tools, each with the same usage: its bill is easy to say. */
const stepsOf = (...tools: readonly (readonly StepTool[])[]): Step[] =>
  tools.map((some, i) => ({
    at: time(i),
    ...(i === 0 ? { prompt: "Mend the invoice." } : {}),
    usage: { cached: i === 0 ? 0 : 20_000, written: i === 0 ? 20_000 : 0, output: 10 },
    tools: some,
  }));
/** What is left of a failure when Claude Code has cut its middle. */
const cutBy = (first: string, last: string) =>
  `${first.repeat(30)}\n\n... [18988 characters truncated] ...\n\n${last.repeat(30)}`;
const bash = (text: string, isError = false): StepTool => ({
  tool: "Bash",
  input: { command: "npm test" },
  text,
  isError,
});

describe("X-57 jeeves look: what a period was like", () => {
  it("counts sessions, calls and the bill of both clients by part", () => {
    write(claude(A), claudeTranscript({ session: A, steps: stepsOf([read], []) }));
    write(codex(B), codexTranscript({ session: B, steps: [{ at: time(0), usage: { plain: 1_000, output: 10 } }] }));
    const found = look();
    const bill = 20_000 * 1.25 + 20_000 * 0.1 + 2 * 50 + 1_060;
    expect(found).toMatchObject({ sessions: 2, calls: 3, bill });
    expect(found.clients).toEqual([
      { title: "Claude Code", sessions: 1, bill: bill - 1_060 },
      { title: "Codex", sessions: 1, bill: 1_060 },
    ]);
    const whole = found.parts.filter(({ is_tool }: { is_tool: boolean }) => !is_tool);
    const sum = whole.reduce((all: number, { cost }: { cost: number }) => all + cost, 0);
    expect(Math.abs(sum - bill)).toBeLessThanOrEqual(3);
    const screen = lookAt();
    expect(screen.split("\n")[0]).toMatch(/^2 sessions: 3 calls, 28 k tokens \(Claude Code 1, Codex 1\)$/);
    expect(screen).toContain("Nothing leaves it, and nothing is written to them.");
    expect(screen).toContain("jeeves setup --shadow");
  });

  it("a file counts as read again only where the same context had the same text", () => {
    const changed = { ...read, text: `${SOURCE}\nexport const more = 1;` };
    const again = claudeTranscript({ session: A, steps: stepsOf([read], [changed], [read], [read]) });
    const [first, second] = stepsOf([read], [read]);
    const compacted = [first, { ...second, compacted: true }] as Step[];
    write(claude(A), again);
    write(claude(B), claudeTranscript({ session: B, steps: compacted }));
    const { read_again: found } = look();
    expect(found).toMatchObject({ files: 1, reads: 2, worst: [{ path: "/p/a.ts", reads: 2 }] });
    expect(found.tokens).toBeGreaterThan(500);
    expect(found.tokens).toBe(found.worst[0].tokens);
  });

  it("a long path keeps its end, which names the file", () => {
    const path = `/p/${"deep/".repeat(30)}the-file.ts`;
    const deep = { ...read, input: { file_path: path } };
    write(claude(A), claudeTranscript({ session: A, steps: stepsOf([deep], [deep]) }));
    expect(lookAt()).toMatch(/^ {2}…\S*\/deep\/the-file\.ts +1 time /m);
  });

  it("a failing command that its client had cut is counted, and whether the model saw any failure of it", () => {
    const blind = cutBy("compiling module\nlinking module\n", "copying file\nwriting file\n");
    const seen = cutBy("compiling module\n", "Error: the invoice total was 41.5 and should be 42\n");
    const fine = cutBy("compiling module\n", "copying file\n");
    write(
      claude(A),
      claudeTranscript({ session: A, steps: stepsOf([bash(blind, true)], [bash(seen, true)], [bash(fine)]) }),
    );
    const text = `${"compiling\n".repeat(200)}…25215 tokens truncated…${"done\n".repeat(200)}`;
    const tool: StepTool = { tool: "exec_command", input: { cmd: "make" }, text, isError: true };
    write(
      codex(B),
      codexTranscript({ session: B, steps: [{ at: time(9), usage: { plain: 900, output: 1 }, tools: [tool] }] }),
    );
    const { cut_failures: found } = look();
    expect(found).toMatchObject({ count: 3, blind: 2 });
    expect(found.newest[0]).toMatchObject({ client: "Codex", tool: "exec_command", is_blind: true });
    expect(lookAt()).toContain("3 failing commands came to the model cut; 2 showed no failure at all.");
  });

  it("X-56 replays each policy: a cut whose lines are used later loses what a keener one loses, and more", () => {
    const lines = LOG.split("\n");
    const edit: StepTool = { tool: "Bash", input: { command: `echo '${lines[450]?.trim()}' >> notes` }, text: "" };
    const rest = Array.from({ length: 25 }, () => []);
    const session = (id: string, second: readonly StepTool[]) =>
      claudeTranscript({ session: id, steps: stepsOf([bash(LOG, true)], second, ...rest) });
    write(claude(A), session(A, []));
    const free = look().replay;
    expect(free).toMatchObject({ sessions: 1, bill_share: 1, results: 1 });
    expect(free.policies.map(({ policy }: { policy: string }) => policy)).toEqual(["careful", "balanced", "keen"]);
    for (const each of free.policies) {
      expect(each).toMatchObject({ cuts: 1, asked: 0, lost: 0, sessions_that_lose: 0 });
      expect(each.saved).toBeGreaterThan(5_000);
      expect(each.net).toBe(each.saved);
    }
    write(claude(A), session(A, [edit]));
    for (const each of look().replay.policies) {
      expect(each).toMatchObject({ cuts: 1, asked: 1 });
      expect(each.lost).toBeGreaterThan(1_000);
      expect(each.net).toBe(each.saved - each.lost);
    }
  });

  it("says what it skipped: missing, torn, foreign, endless and unreadable", () => {
    const whole = claudeTranscript({ session: A, steps: stepsOf([read], []) });
    write(claude(A), `${whole}{"type":"user","mess\n${"x".repeat(17 * 1024 * 1024)}\n`);
    write(claude(B), '{"some":"other tool"}\n');
    write(claude(C), "");
    const found = look();
    expect(found.sessions).toBe(1);
    expect(found.skipped).toEqual([
      `Codex: no transcripts of this time in ${at("home/.codex/sessions")}`,
      "1 transcript without any usage that we know",
      "1 line not whole JSON",
      "1 line longer than 16 MB",
      "1 session beyond the sample, counted and not replayed: --all replays them",
    ]);
  });

  it("a session beyond the sample is counted, named, and replayed with --all", () => {
    const wide = `${LOG}\n${"y".repeat(13 * 1024 * 1024)}`;
    write(claude(A), claudeTranscript({ session: A, steps: stepsOf([bash(wide)], []) }));
    const found = look();
    expect(found).toMatchObject({ sessions: 1, replay: { sessions: 0 } });
    expect(found.skipped).toContain("1 session beyond the sample, counted and not replayed: --all replays them");
    expect(lookAt()).toContain("No session could be replayed.");
    expect(look("--all")).toMatchObject({ replay: { sessions: 1 } });
  });

  it("names the way to connect a client, and where one is connected, to turn it on", () => {
    expect(lookAt()).toMatch(/^ {2}jeeves setup --shadow .*\n {2}jeeves setup {2}/m);
    put("state/meter/2026-11.jsonl", "");
    expect(lookAt()).toMatch(/^ {2}jeeves shadow .*\n {2}jeeves on .*\n {2}jeeves stats /m);
  });

  it("without any transcript it says where it looked, and how to begin", () => {
    const screen = lookAt();
    expect(screen).toMatch(/^No sessions\.\n/);
    expect(screen).toContain(`Claude Code: no transcripts of this time in ${at("home/.claude/projects")}`);
    expect(screen).toContain("jeeves setup");
  });

  it("X-71 writes a session as one page, bare and with Jeeves, without its secrets; changes no transcript", () => {
    const text = `${LOG}\ntoken = "${SECRET}"\n<script>alert(1)</script>\n${at("home")}/x.ts`;
    write(claude(A), claudeTranscript({ session: A, steps: stepsOf([bash(text, true)], [read], []) }));
    const before = statSync(at(claude(A)));
    const file = at("project/session.html");
    const { stderr } = jeeves("look", "--since", "all", "--html", file);
    expect(stderr).toBe(`wrote ${file}\n`);
    const html = readFileSync(file, "utf8");
    expect(html).toContain("not ok 901 the invoice total was 41.5");
    expect(html).toMatch(/<h3>Bare: [\d.]+ k tokens<\/h3>/);
    expect(html).toMatch(/<h3>With Jeeves: \d+ tokens<\/h3>/);
    expect(html).toContain("<mark>⟦");
    expect(html).toContain("[redacted]");
    for (const gone of [SECRET, "<script>", at("home"), "http://", "https://", " src="])
      expect(html).not.toContain(gone);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(at(claude(A))).mtimeMs).toBe(before.mtimeMs);
    expect(readdirSync(at("")).filter((name) => name === "tmp" && readdirSync(join(at(""), name)).length > 0)).toEqual(
      [],
    );
    jeeves("look", "--since", "all", "--html", file);
    expect(readFileSync(file, "utf8")).toBe(html);
    expect(jeeves("look", "--since", "all", "--html", file, "--session", "ffff").stderr).toMatch(
      /^jeeves: no session ffff among those that are replayed\n/,
    );
  });

  it("a file that cannot be written is named, with the reason", () => {
    const done = jeeves("look", "--since", "all", "--markdown", at("no/such/dir.md"));
    expect(done.status).toBe(1);
    expect(done.stderr).toBe(
      `jeeves: cannot write ${at("no/such/dir.md")}: ENOENT\n        name a file that can be written\n`,
    );
  });

  it("--session without --html is refused, not passed over", () => {
    const { status, stderr } = jeeves("look", "--session", "aaaa");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: --session names the session that --html writes: add --html FILE\n/);
  });

  it("writes the figures as Markdown, with none of the texts", () => {
    // Its context grows, so that results have a part in the bill.
    const steps = stepsOf([bash(LOG, true)], [read], [read], []).map((step, i) => ({
      ...step,
      usage: { cached: i * 20_000, written: 20_000, output: 10 },
    }));
    write(claude(A), claudeTranscript({ session: A, steps }));
    lookAt("--markdown", at("project/week.md"));
    const text = readFileSync(at("project/week.md"), "utf8");
    expect(text).toMatch(/^# 1 session: 4 calls, .* tokens \(Claude Code 1\)\n/);
    expect(text).toContain("| careful | 1 |");
    expect(text).toMatch(/^\| results \|.*\n\| – Bash \|.*\n\| – Read \|/m);
    expect(text).toMatch(/^\| \/p\/a\.ts \| 1 time \| /m);
    expect(text).not.toContain("invoice");
  });
});
