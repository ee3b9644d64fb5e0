// `jeeves stats`, the built command, on transcripts in the shapes of both clients and on what can stand in their place.
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFallbackDir } from "@jeeves/state";
import { describe, expect, it } from "vitest";
import { claudeTranscript, codexTranscript, type Step } from "../../../test/transcript-writer.mjs";
import { at, jeeves, put } from "./init-given.ts";

const A = "aaaaaaaa-1111-4222-8333-444455556666";
const B = "bbbbbbbb-1111-4222-8333-444455556666";
const LATER_S = Date.UTC(2026, 11, 1) / 1000;
const ID = "prn_abcdefghijkl";
const time = (minute: number, day = 15) => new Date(Date.UTC(2026, 10, day, 10, minute)).toISOString();
const claude = (session: string) => `home/.claude/projects/-p/${session}.jsonl`;
const codex = (session: string) => `home/.codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-${session}.jsonl`;
/** Its time is that of its last record at the latest, whatever the clock of this machine says. */
const write = (file: string, text: string) => {
  put(file, text);
  utimesSync(at(file), LATER_S, LATER_S);
};
const stats = (...args: readonly string[]) => JSON.parse(jeeves("stats", "--json", "--since", "all", ...args).stdout);
const entry = (kind: string, more = {}) => ({
  ts: time(1),
  kind,
  session: A,
  client: "claude-code",
  tool: "Read",
  project: "/p",
  raw_tokens: 9_500,
  kept_tokens: 1_000,
  ...(kind === "cut" || kind === "shadow" ? { shown_tokens: 9_000, prune_id: ID } : {}),
  ...more,
});
const meter = (...entries: readonly object[]) =>
  put("state/meter/2026-11.jsonl", entries.map((each) => `${JSON.stringify(each)}\n`).join(""));

/** Three calls; a Read that is cut after the first, its way back after the second. */
const STEPS: readonly Step[] = [
  {
    at: time(0),
    prompt: "Why?",
    usage: { cached: 0, written: 20_000, output: 100 },
    tools: [
      { tool: "Read", input: { file_path: "/p/a.ts" }, text: `const a = 1;\n[rest: recover_text ${ID}]`, at: time(1) },
    ],
  },
  {
    at: time(2),
    usage: { cached: 20_000, written: 2_000, output: 50 },
    tools: [{ tool: "mcp__jeeves__recover_text", input: { prune_id: ID }, text: "const b = 2;", at: time(3) }],
  },
  { at: time(4), usage: { cached: 22_000, written: 1_000, output: 10 } },
];
const BILL = 20_000 * 1.25 + 500 + (2_000 + 2_000 * 1.25 + 250) + (2_200 + 1_000 * 1.25 + 50);
/** 8,000 tokens: written by the second call, read by the third. */
const SAVED = 8_000 * (1.25 + 0.1);
/** The second call's context and words, and 500 tokens that the third one wrote. */
const BACK = 0.1 * 22_000 + 50 * 5 + 500 * 1.25;

describe("X-57 jeeves stats: the bill and the net", () => {
  it("counts a cut at the prices of the calls that would have read it", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    meter(entry("cut"));
    expect(stats()).toMatchObject({
      sessions: 1,
      sessions_lost: 0,
      bill: BILL,
      saved: SAVED,
      came_back: 0,
      net: SAVED,
    });
    expect(stats().net_share).toBeCloseTo(SAVED / (BILL + SAVED));
    const { stdout } = jeeves("stats", "--since", "all");
    expect(stdout.split("\n")[0]).toBe("net 24.2 % of 45 k tokens over 1 session (0 lost); 0 failures made visible");
  });

  it("charges a recovery the real context of the call that made it, and predicted stands beside actual", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    const recovered = entry("recovered", { ts: time(3), tool: "recover_text", raw_tokens: 500, prune_id: ID });
    meter(entry("cut", { risk: 0.68 }), entry("cut", { risk: 0.2, prune_id: "prn_bbbbbbbbbbbb" }), recovered);
    expect(stats()).toMatchObject({
      came_back: BACK,
      net: 2 * SAVED - BACK,
      recoveries_actual: 1,
      cuts_with_prediction: 2,
    });
    expect(stats().recoveries_predicted).toBeCloseTo(0.88);
    expect(jeeves("stats", "--since", "all").stdout).toContain("asked again  1 of 2 cuts, 0.9 predicted\n");
  });

  it("a session whose recoveries cost more than its cuts has lost, and is named", () => {
    write(claude(A), claudeTranscript({ session: A, dir: "/src/harbour", steps: STEPS }));
    meter(entry("cut", { shown_tokens: 1_200 }), entry("recovered", { ts: time(3), raw_tokens: 500, prune_id: ID }));
    const { stdout } = jeeves("stats", "--since", "all");
    expect(stdout).toMatch(/^net -\d+\.\d % of \d+ k tokens over 1 session \(1 lost\); 0 failures made visible\n/);
    expect(stdout).toContain("a loss: try jeeves shadow");
    expect(stdout).toMatch(/^lost +-2\.8 k in claude-code on 2026-11-15, \/src\/harbour$/m);
  });

  it("what makes a failure visible is counted as such, and its tokens as a cost", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    const lines = { made_visible: 3, visible_failures: 1 };
    meter(entry("cut", { tool: "Bash", shown_tokens: 600, kept_tokens: 1_000, ...lines }));
    const visible = { failures_made_visible: 1, answers_made_visible: 0 };
    expect(stats()).toMatchObject({ ...visible, saved: 0, made_visible_cost: 400 * 1.35, net: -540 });
    expect(stats().line).toMatch(/; 1 failure made visible$/);
  });

  it("X-21 cuts in a fallback directory of another TMPDIR are found where it was noted; one that others can write is not read", async () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    const [own, open] = ["own-tmp", "open-tmp"].map((name) => at(name));
    const env = { HOME: at("home"), JEEVES_STATE_DIR: at("state") };
    mkdirSync(at("state"), { recursive: true });
    for (const tmp of [own, open]) {
      mkdirSync(tmp ?? "");
      const fallback = await openFallbackDir({ ...env, TMPDIR: tmp });
      mkdirSync(join(fallback, "meter"));
      writeFileSync(
        join(fallback, "meter", "2026-11.jsonl"),
        `${JSON.stringify(entry("cut", { shown_tokens: 1_200 }))}\n`,
      );
    }
    chmodSync(join(open ?? "", `jeeves-${process.getuid?.()}`), 0o777);
    const { cuts, meter_places } = stats();
    expect(cuts).toBe(1);
    expect(meter_places).toContain(join(own ?? "", `jeeves-${process.getuid?.()}`));
  });

  it("an answer that was made visible is no failure, and neither is what an earlier version did not tell apart", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    const cut = (lines: object) => entry("cut", { shown_tokens: 600, kept_tokens: 1_000, ...lines });
    meter(
      cut({ made_visible: 2, visible_failures: 2 }),
      cut({ made_visible: 9, visible_failures: 0 }),
      cut({ made_visible: 4 }),
      cut({}),
    );
    const found = stats("--by", "tool");
    expect(found).toMatchObject({ failures_made_visible: 1, answers_made_visible: 2 });
    expect(found.line).toMatch(/; 1 failure and 2 answers made visible$/);
    expect(found.parts).toContainEqual(expect.objectContaining({ failures_made_visible: 1, answers_made_visible: 2 }));
  });

  it("cuts of before this version are left out of the net, with their recoveries, counted and named", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    const old = Array.from({ length: 12 }, () => entry("cut", { shown_tokens: undefined }));
    meter(...old, entry("recovered", { ts: time(3), prune_id: ID }), entry("surface", { raw_tokens: 700 }));
    expect(stats()).toMatchObject({ cuts: 12, older_cuts: 12, recoveries: 1, net: 0, sessions_lost: 0 });
    expect(jeeves("stats", "--since", "all").stdout).toContain("\n12 older cuts are not comparable\n");
  });

  it("our own surface costs what the starting prompt costs, once for a session", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    const surface = entry("surface", { tool: "", raw_tokens: 700, kept_tokens: 700 });
    meter(entry("cut"), surface, surface);
    const cost = Math.round(700 * (1.25 + 0.1 + 0.1));
    expect(stats("--by", "tool")).toMatchObject({ surface: cost, net: SAVED - cost });
    expect(jeeves("stats", "--since", "all", "--by", "tool").stdout).toMatch(/^\(surface\) +0 +1 .*-1\.0 k/m);
  });

  it("a session without a transcript is valued at 8 for each token, apart and said so", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    meter(entry("cut", { session: "elsewhere", client: "opencode" }));
    expect(stats()).toMatchObject({ sessions: 1, net: 0, without_transcript: { sessions: 1, net: 64_000 } });
    expect(jeeves("stats", "--since", "all").stdout).toContain(
      "1 session without a transcript: net about +64 k at 8 for each token (0 lost), in no share above\n",
    );
  });

  it("the bill by part adds up, with results by tool, cache misses and the cache of an hour", () => {
    const steps: Step[] = [
      {
        at: time(0),
        prompt: "x",
        usage: { written: 10_000, hour: 10_000, output: 10 },
        tools: [{ tool: "Bash", text: "y\n".repeat(900) }],
      },
      { at: time(1), usage: { written: 12_000, hour: 12_000, output: 10 } },
    ];
    write(claude(A), claudeTranscript({ session: A, steps }));
    write(codex(B), codexTranscript({ session: B, steps: [{ at: time(0), usage: { plain: 1_000, output: 10 } }] }));
    const found = stats("--by", "client");
    expect(found.bill).toBe(22_000 * 2 + 100 + 1_060);
    const { starting_prompt_cost: starting, cache_misses: misses, results, output, rest } = found;
    expect(Math.abs(starting + misses + results + output + rest - found.bill)).toBeLessThanOrEqual(3);
    expect(misses).toBe(10_000 * 2);
    expect(found.results_by_tool.Bash).toBeGreaterThan(1_000);
    expect(found.parts).toMatchObject([
      { name: "claude-code", bill: 44_100 },
      { name: "codex", bill: 1_060 },
    ]);
  });

  it("a cut stands under the name that its client gives the tool", () => {
    const tools = [
      { tool: "exec_command", input: { cmd: "npm test" }, text: `x [rest: recover_text ${ID}]`, at: time(1) },
    ];
    const steps: Step[] = [
      { at: time(0), usage: { plain: 9_000, output: 1 }, tools },
      { at: time(2), usage: { cached: 9_000, plain: 500, output: 1 } },
    ];
    write(codex(A), codexTranscript({ session: A, steps }));
    meter(entry("cut", { client: "codex", tool: "Bash" }));
    expect(stats("--by", "tool").parts).toMatchObject([{ name: "exec_command", cuts: 1, saved: 8_000 }]);
  });

  it("names what fills the starting prompt: memory files by size, servers by name", () => {
    write(claude(A), claudeTranscript({ session: A, dir: at("project"), steps: STEPS }));
    put("project/CLAUDE.md", "Always write tests first.\n".repeat(100));
    put("home/.claude/CLAUDE.md", "Be brief.\n");
    put("project/.mcp.json", '{"mcpServers":{"github":{}}}');
    put(
      "home/.claude.json",
      JSON.stringify({ mcpServers: { jeeves: {} }, projects: { [at("project")]: { mcpServers: { db: {} } } } }),
    );
    const { stdout } = jeeves("stats", "--since", "all");
    expect(stdout).toContain("a session starts with 20 k tokens (median), of which\n");
    expect(stdout).toMatch(/^ +\S*project\/CLAUDE\.md +\d+$/m);
    expect(stdout).toMatch(/^ +~\/\.claude\/CLAUDE\.md +\d+$/m);
    expect(stdout).toContain("  MCP servers of Claude Code: db, github, jeeves\n");
    expect(stats().starting_prompt).toMatchObject({
      median_tokens: 20_000,
      files: [{ tokens: expect.any(Number) }, {}],
    });
  });
});

describe("X-57 jeeves stats: what the newest Claude Code tells of its requests", () => {
  const shape = {
    type: "api-request-shape",
    sessionId: A,
    shape: {
      system: [{ type: "text", text: "You are an agent. ".repeat(200) }],
      tools: [{ name: "Bash", description: "Runs a command. ".repeat(100), input_schema: {} }],
    },
  };
  const attached = (attachment: object, rendered?: string) => ({
    type: "attachment",
    sessionId: A,
    isSidechain: false,
    attachment,
    ...(rendered === undefined ? {} : { rendered: [{ content: rendered }] }),
  });
  const names = attached({ type: "deferred_tools_delta", addedNames: ["WebFetch", "mcp__jeeves__recover_text"] });
  const words = attached({
    type: "mcp_instructions_delta",
    addedNames: ["jeeves"],
    addedBlocks: ["## jeeves\nAsk for the rest."],
  });
  const skills = attached({ type: "skill_listing" }, "- dataviz: charts and graphs. ".repeat(50));
  const raw = [shape, names, words, skills].map((record) => JSON.stringify(record)).join("\n");

  it("names the parts of the starting prompt with their sizes", () => {
    const [first, ...rest] = STEPS;
    write(claude(A), claudeTranscript({ session: A, steps: [{ ...first, raw } as Step, ...rest] }));
    const { stdout } = jeeves("stats", "--since", "all");
    for (const name of ["system prompt", "tool Bash", "skill listing", "MCP server jeeves"])
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\d`, "m"));
    const [largest] = stats().starting_prompt.parts;
    expect(largest).toEqual({ name: "system prompt", tokens: expect.any(Number) });
  });

  it("our own surface is what the client sent of it, not what it would be with all schemas", () => {
    const [first, ...rest] = STEPS;
    write(claude(A), claudeTranscript({ session: A, steps: [{ ...first, raw } as Step, ...rest] }));
    meter(entry("cut"), entry("surface", { tool: "", raw_tokens: 459, kept_tokens: 459 }));
    const { surface, starting_prompt: prompt } = stats();
    const sent = prompt.parts.find(({ name }: { name: string }) => name === "MCP server jeeves").tokens;
    expect(sent).toBeLessThan(40);
    expect(surface).toBe(Math.round(sent * (1.25 + 0.1 + 0.1)));
  });

  it("a prompt that is repeated as the last one counts once", () => {
    const [first, ...rest] = STEPS;
    const again = JSON.stringify({ type: "last-prompt", lastPrompt: "Why?", sessionId: A });
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    const once = stats();
    write(
      claude(A),
      claudeTranscript({ session: A, steps: [first as Step, ...rest.map((step) => ({ ...step, raw: again }))] }),
    );
    expect(stats().rest).toBe(once.rest);
  });
});

describe("X-57 jeeves stats: transcripts as they are found", () => {
  it("skips a torn last line, a line of 50 MB and usage without cache fields, and counts the rest", () => {
    const steps: Step[] = [{ at: time(0), usage: { plain: 1_000, output: 10 } }];
    write(claude(A), claudeTranscript({ session: A, steps }));
    appendFileSync(at(claude(A)), Buffer.alloc(50 * 1024 * 1024, 0x78));
    appendFileSync(at(claude(A)), '\n{"type":"assistant","mes');
    expect(stats()).toMatchObject({ sessions: 1, bill: 1_050 });
  });

  it("a pipe in the place of a transcript is named, and holds nothing up", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    execFileSync("mkfifo", [at(claude(B))]);
    const { status, stdout, stderr } = jeeves("stats", "--since", "all");
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^jeeves: transcript: .*not a regular file\n$/),
    });
    expect(stdout).toContain("1 transcript cannot be read\n");
    expect(stats()).toMatchObject({ sessions: 1, bill: BILL, transcripts: { unreadable: 1 } });
  });

  it("a transcript of another version has no usage that we know", () => {
    write(claude(A), '{"v":9,"kind":"turn"}\n');
    expect(jeeves("stats", "--since", "all").stdout).toBe(
      "nothing was cut yet\n1 transcript without any usage that we know\n",
    );
  });

  it("a file that holds another session's records belongs to that session, and a copied call counts once", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    write(claude(B), claudeTranscript({ session: A, steps: STEPS }));
    meter(entry("cut"));
    expect(stats()).toMatchObject({ sessions: 1, bill: BILL, saved: SAVED });
  });

  it("a clock that is set back takes no call out, and a cut is still found by its id", () => {
    const [first, second, third] = STEPS;
    const steps = [first, { ...second, at: time(0, 1) }, { ...third, at: time(1, 1) }] as Step[];
    write(claude(A), claudeTranscript({ session: A, steps }));
    meter(entry("cut"));
    const since = ["--since", "2026-11-15"];
    expect(JSON.parse(jeeves("stats", "--json", ...since).stdout)).toMatchObject({ bill: BILL, saved: SAVED });
  });

  it("of a session that was resumed on another day only the later calls are in a later period", () => {
    const resumed: Step = { at: time(0, 20), usage: { cached: 23_000, written: 400, output: 10 } };
    write(claude(A), claudeTranscript({ session: A, steps: [...STEPS, resumed] }));
    const bill = 2_300 + 400 * 1.25 + 50;
    expect(JSON.parse(jeeves("stats", "--json", "--since", "2026-11-19").stdout)).toMatchObject({ sessions: 1, bill });
    expect(stats("--by", "day").parts).toMatchObject([
      { name: "2026-11-15", bill: BILL },
      { name: "2026-11-20", bill },
    ]);
  });

  it("two sessions of one project keep their cuts apart, and a subagent is part of its session", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    write(claude(B), claudeTranscript({ session: B, steps: STEPS }));
    const side: Step[] = [{ at: time(1), usage: { written: 500, output: 0 } }];
    mkdirSync(at(`home/.claude/projects/-p/${A}/subagents`), { recursive: true });
    const agent = claudeTranscript({ session: A, sidechain: true, agent: "x", steps: side });
    write(`home/.claude/projects/-p/${A}/subagents/agent-x.jsonl`, agent);
    meter(entry("cut"), entry("recovered", { session: B, ts: time(3), raw_tokens: 500, prune_id: ID }));
    expect(stats()).toMatchObject({
      sessions: 2,
      sessions_lost: 1,
      bill: 2 * BILL + 625,
      saved: SAVED,
      came_back: BACK,
    });
    expect(stats("--by", "project").parts).toMatchObject([{ name: "/p", sessions: 2 }]);
  });

  it("sessions from before the first entry of the meter ran without us, and are left out", () => {
    write(claude(B), claudeTranscript({ session: B, steps: STEPS.map((step, i) => ({ ...step, at: time(i, 10) })) }));
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    meter(entry("cut"));
    expect(stats()).toMatchObject({ sessions: 1, bill: BILL });
  });

  it("a file that was last written before the period is not opened", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    utimesSync(at(claude(A)), 1, 1);
    expect(JSON.parse(jeeves("stats", "--json").stdout)).toMatchObject({ sessions: 0, transcripts: { files: 0 } });
  });
});

describe("X-52 jeeves stats --shadow", () => {
  const many = (count: number, entries: (session: string) => readonly object[]) => {
    const all: object[] = [];
    for (let n = 0; n < count; n++) {
      const session = A.replace(/^aaaaaaaa/, String(10_000_000 + n));
      write(claude(session), claudeTranscript({ session, steps: STEPS }));
      all.push(...entries(session));
    }
    meter(...all);
    return jeeves("stats", "--shadow", "--since", "all").stdout;
  };

  it("says in one line what turning it on would save, and that it should be", () => {
    const said = many(5, (session) => [entry("shadow", { session, shown_tokens: 3_000 })]);
    expect(said).toBe(
      "on would save about 8.0 % (8.0 % to 8.0 %) of 169 k tokens over 5 sessions: turn it on with jeeves on\n",
    );
  });

  it("gives no verdict on fewer than five sessions, however alike they are", () => {
    const said = many(2, (session) => [entry("shadow", { session, shown_tokens: 3_000 })]);
    expect(said).toMatch(/^on would save about 8\.0 % of \d+ k tokens over 2 sessions: too few to tell, /);
  });

  it("or the contrary, recoveries included", () => {
    const said = many(5, (session) => [
      entry("shadow", { session, shown_tokens: 1_100 }),
      entry("missed", { session, ts: time(3), raw_tokens: 0, prune_id: ID }),
    ]);
    expect(said).toMatch(
      /^on would cost about 9\.7 % more \(9\.7 % to 9\.7 %\) of 169 k tokens over 5 sessions: leave it in shadow\n$/,
    );
  });

  it("a miss costs a turn in the context of that moment and what would have come back, by its recorded size", () => {
    const missed = { ts: time(3), tool: "Edit", raw_tokens: 400, context_tokens: 22_000, prune_id: ID };
    many(1, (session) => [entry("shadow", { session, shown_tokens: 3_000 }), entry("missed", { session, ...missed })]);
    const saved = 2_000 * (1.25 + 0.1);
    // Asked beside the second call: what comes back is written by the third.
    const cost = 0.115 * 22_000 + 600 + (120 + 400) * 1.25;
    expect(stats()).toMatchObject({ shadow_missed: 1, shadow_net: Math.round(saved - cost) });
  });

  it("a session in shadow has not lost for the tools that it was given", () => {
    const surface = (session: string) => entry("surface", { session, tool: "", raw_tokens: 700 });
    many(1, (session) => [entry("shadow", { session }), surface(session)]);
    expect(stats()).toMatchObject({ sessions: 1, sessions_lost: 0, surface: Math.round(700 * 1.45) });
  });

  it("says that nothing was counted, and leaves sessions with cuts out", () => {
    expect(many(1, (session) => [entry("cut", { session })])).toBe(
      "nothing was counted in shadow yet: start with jeeves shadow\n",
    );
  });
});

describe("jeeves stats: words", () => {
  it("refuses a period that is none", () => {
    for (const since of ["yesterday", "2026-13-01", "2026-11-31", "-3d", ""])
      expect(jeeves("stats", "--since", since)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("7d, 12h, 2w"),
      });
  });

  it("X-60 a state directory that is a file is named, and the bill is shown all the same", () => {
    put("state", "a file");
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    const { status, stdout, stderr } = jeeves("stats", "--since", "all");
    expect(status).toBe(0);
    expect(stderr).toMatch(/^jeeves: meter: ENOTDIR.*\n$/);
    expect(stdout).toContain("nothing was cut yet\n");
    expect(stdout).toMatch(/^ {2}in all +34 k +100\.0 %$/m);
  });

  it("says that nothing was cut in a period, where something was cut before it", () => {
    meter(entry("cut", { ts: "2026-01-02T10:00:00.000Z" }));
    expect(jeeves("stats", "--since", "2026-11-01").stdout).toBe(
      "nothing was cut in this period: --since all goes back to the first cut\n",
    );
    meter(entry("surface", { ts: "2026-01-02T10:00:00.000Z" }));
    expect(jeeves("stats", "--since", "2026-11-01").stdout).toBe("nothing was cut yet\n");
  });

  it("says that nothing was cut", () => expect(jeeves("stats").stdout).toBe("nothing was cut yet\n"));

  it("nothing of the texts stays in what it prints", () => {
    write(claude(A), claudeTranscript({ session: A, steps: STEPS }));
    meter(entry("cut", { what: "secret.ts", focus: "the secret" }));
    expect(readFileSync(at(claude(A)), "utf8")).toContain("const a = 1;");
    const said = jeeves("stats", "--json", "--since", "all", "--by", "tool").stdout;
    for (const words of ["const a", "Why?", "secret"]) expect(said).not.toContain(words);
  });
});
