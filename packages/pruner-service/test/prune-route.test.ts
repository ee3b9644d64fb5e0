// POST /prune from the side of a client that was written for the public swe-pruner (X-44).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "./service-under-test.ts";
import { DOCS, LOG, PYTHON, RETRY_GOAL } from "./texts.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const FILTERED = /^\(filtered (\d+) lines\)$/;

// Long enough that leaving lines out pays.
const CODE = Array.from({ length: 40 }, (_, index) =>
  PYTHON.replaceAll("rename_album", `rename_album_${index}`).replaceAll(
    "retry_delay",
    index === 20 ? "retry_delay" : `paint_${index}`,
  ),
).join("\n");

function expectConsistent(code: string, answer: { pruned_code: string; kept_frags: readonly number[] }): void {
  const lines = code.replace(/\n$/, "").split("\n");
  const kept = [...answer.kept_frags];
  let next = 1;
  for (const shown of answer.pruned_code.replace(/\n$/, "").split("\n")) {
    const filtered = FILTERED.exec(shown);
    if (filtered !== null && lines[next - 1] !== shown) {
      next += Number(filtered[1]);
      continue;
    }
    expect(kept.shift()).toBe(next);
    expect(shown).toBe(lines[next - 1]);
    next++;
  }
  expect(kept).toEqual([]);
  expect(next).toBe(lines.length + 1);
}

describe("X-44 the answer", () => {
  it("has the public fields and their types, and nothing else", async () => {
    const { status, json, headers } = await service.prune({ query: RETRY_GOAL, code: CODE });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("application/json");
    expect(json).toEqual({
      score: expect.any(Number),
      pruned_code: expect.any(String),
      token_scores: [],
      kept_frags: expect.any(Array),
      origin_token_cnt: expect.any(Number),
      left_token_cnt: expect.any(Number),
      model_input_token_cnt: expect.any(Number),
      error_msg: null,
    });
    for (const name of ["origin_token_cnt", "left_token_cnt", "model_input_token_cnt"]) {
      expect(Number.isInteger(json[name]), name).toBe(true);
    }
    expect(json.left_token_cnt).toBeLessThan(json.origin_token_cnt / 2);
    expect(json.pruned_code).toContain("return min(delay, 60000)");
    expectConsistent(CODE, json);
  });

  it("what was filtered can be recovered by the id in the header", async () => {
    const { headers } = await service.prune({ query: RETRY_GOAL, code: CODE });
    const args = {
      prune_id: headers.get("jeeves-prune-id"),
      ranges: [{ start_line: 1, end_line: 1e9 }],
      include_line_numbers: false,
    };
    expect((await service.tool("recover_text", args)).raw_text).toBe(CODE.replace(/\n$/, ""));
  });

  it("defaults may be left out or sent, and unknown fields are ignored", async () => {
    const bare = await service.prune({ query: RETRY_GOAL, code: CODE });
    const full = await service.prune({
      query: RETRY_GOAL,
      code: CODE,
      threshold: 0.5,
      always_keep_first_frags: false,
      chunk_overlap_tokens: 50,
      request_id: "x",
      model: { anything: true },
    });
    expect(full.json).toEqual(bare.json);
  });

  /** How much of the text is in the lines that went. */
  const shareGone = (code: string, keptFrags: readonly number[]): number => {
    const kept = new Set(keptFrags);
    const gone = code.split(/(?<=\n)/).filter((_line, i) => !kept.has(i + 1));
    return gone.join("").length / code.length;
  };

  it("max_prune_ratio is the share of the text that goes", async () => {
    const sizes: number[] = [];
    for (const ratio of [0.9, 0.7, 0.5]) {
      const { json } = await service.prune({ query: RETRY_GOAL, code: CODE, max_prune_ratio: ratio });
      expectConsistent(CODE, json);
      sizes.push((1 - shareGone(CODE, json.kept_frags)) / (1 - ratio));
    }
    for (const size of sizes) {
      expect(size).toBeGreaterThanOrEqual(1);
      expect(size).toBeLessThan(1.1);
    }
  });

  const MATCHES = Array.from({ length: 60 }, (_, i) => `src/part-${i % 7}.ts:${i + 1}:  retry(${i}, delay)`).join("\n");
  const TEXTS = {
    code: CODE,
    "short code": PYTHON,
    "a log": LOG,
    docs: DOCS,
    "long paragraphs": Array.from({ length: 9 }, (_, i) => `${`words of paragraph ${i} `.repeat(20)}\n`).join("\n"),
    matches: MATCHES,
    "matches among other lines": `${LOG}\n${MATCHES}\n${LOG}\n`,
    "a single line": "one line about the retry delay",
  };

  it.each(Object.entries(TEXTS))("max_prune_ratio was passed by more than two points: %s", async (_, code) => {
    for (const ratio of [0.05, 0.1, 0.3, 0.55, 0.8, 0.95]) {
      const { json } = await service.prune({ query: RETRY_GOAL, code, max_prune_ratio: ratio });
      expectConsistent(code, json);
      expect(1 - json.pruned_code.length / code.length, String(ratio)).toBeLessThanOrEqual(ratio);
      expect(1 - json.left_token_cnt / json.origin_token_cnt, String(ratio)).toBeLessThanOrEqual(ratio + 0.02);
    }
  });

  it.each(Object.entries(TEXTS))("max_prune_ratio was passed by the lines that went: %s", async (_, code) => {
    for (const ratio of [0.05, 0.1, 0.3, 0.55, 0.8, 0.95]) {
      const { json } = await service.prune({ query: RETRY_GOAL, code, max_prune_ratio: ratio });
      expect(shareGone(code, json.kept_frags), String(ratio)).toBeLessThanOrEqual(ratio);
    }
  });

  it.each(Object.entries(TEXTS))("max_prune_ratio 0 dropped lines: %s", async (_, code) => {
    for (const more of [{}, { always_keep_first_frags: true }, { situation: { tool: "Read", ctx: 900_000 } }]) {
      const { json } = await service.prune({ query: RETRY_GOAL, code, max_prune_ratio: 0, ...more });
      expect(json.pruned_code).toBe(code);
      expect(json.kept_frags).toHaveLength(code.replace(/\n$/, "").split("\n").length);
    }
  });

  it("a higher threshold keeps no more, a lower one no less", async () => {
    const sizes: number[] = [];
    for (const threshold of [0.1, 0.5, 0.9]) {
      sizes.push((await service.prune({ query: RETRY_GOAL, code: CODE, threshold })).json.left_token_cnt);
    }
    expect([...sizes].sort((a, b) => b - a)).toEqual(sizes);
    expect(sizes[0]).toBeGreaterThan(sizes[2] ?? 0);
  });

  it("always_keep_first_frags keeps the first line", async () => {
    const code = `${"painted wood\n".repeat(3)}${CODE}`;
    const ask = { query: RETRY_GOAL, code, max_prune_ratio: 0.95 };
    expect((await service.prune(ask)).json.kept_frags[0]).toBeGreaterThan(2);
    const { json } = await service.prune({ ...ask, always_keep_first_frags: true });
    expect(json.kept_frags.slice(0, 2)).toEqual([1, expect.any(Number)]);
    expect(json.pruned_code).toMatch(/^painted wood\n\(filtered \d+ lines\)\n/);
    expectConsistent(code, json);
  });

  it("the empty text, and a text in which nothing matches, come back whole", async () => {
    expect((await service.prune({ query: "x", code: "" })).json).toMatchObject({
      pruned_code: "",
      kept_frags: [],
      error_msg: null,
    });
    const code = "alpha\nbeta\n";
    expect((await service.prune({ query: "zzz", code })).json).toMatchObject({ pruned_code: code, kept_frags: [1, 2] });
  });

  it.each([
    ["no code", { query: "a" }, "code: Invalid input: expected string"],
    ["no query", { code: "a" }, "query: Invalid input: expected string"],
    ["a number for code", { query: "a", code: 7 }, "code: Invalid input: expected string"],
    [
      "a word for the threshold",
      { query: "a", code: "a", threshold: "high" },
      "threshold: Invalid input: expected number",
    ],
    [
      "ratio 1.5",
      { query: "a", code: "a", max_prune_ratio: 1.5 },
      "max_prune_ratio: Too big: expected number to be <=1",
    ],
    ["no object", [], "body: Invalid input: expected object"],
  ])("%s is 422, and says what is wrong", async (_what, body, words) => {
    const { status, json } = await service.prune(body);
    expect([status, json.ok, json.error.code]).toEqual([422, false, "invalid_request"]);
    expect(json.error.message).toContain(words);
  });

  it("no JSON is 400, no JSON type 415, GET 405", async () => {
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${service.url}/prune`, { method: "POST", headers, body: "{" })).status).toBe(400);
    expect((await fetch(`${service.url}/prune`, { method: "POST", body: "{}" })).status).toBe(415);
    expect((await fetch(`${service.url}/prune`)).status).toBe(405);
  });
});

describe("X-44 X-56 with a situation the policy decides", () => {
  const ask = (situation: object, more: object = {}) =>
    service.prune({ query: RETRY_GOAL, code: CODE, situation, ...more });

  it("the same text is cut in a small context and left whole in a large one, and the answer says which", async () => {
    const { json: small } = await ask({ tool: "Read", path: "a.py", call: 3, ctx: 20_000 });
    expect(small).toMatchObject({ decision: expect.stringMatching(/^(engine|outline)$/), error_msg: null });
    expect(small.left_token_cnt).toBeLessThan(small.origin_token_cnt);
    expectConsistent(CODE, small);
    const { json: large } = await ask({ tool: "Read", path: "a.py", call: 3, ctx: 900_000 });
    expect(large).toMatchObject({ decision: "no_gain", pruned_code: CODE });
    expectConsistent(CODE, large);
  });

  it("the long listing of a directory is shown in short, but not by the careful", async () => {
    const row = (index: number) => `-rw-r--r--  1 ada ada  ${1_000 + index * 37} Nov 17 10:02 part-${index}.ts`;
    const code = ["total 960", ...Array.from({ length: 120 }, (_, index) => row(index))].join("\n");
    const body = { query: "ls -la", code, situation: { tool: "Bash", class: "search", ctx: 20_000 } };
    const balanced = await startService({ env: { JEEVES_POLICY: "balanced" } });
    try {
      const { json: short } = await balanced.prune(body);
      expect(short).toMatchObject({ decision: "short", error_msg: null });
      expect(short.left_token_cnt).toBeLessThan(short.origin_token_cnt / 2);
      expectConsistent(code, short);
      expect((await service.prune(body)).json.decision).not.toBe("short");
    } finally {
      await balanced.stop();
    }
  });

  it("an amount is an order whatever the situation, and so is a situation that says nothing of the context", async () => {
    const { json: ordered } = await ask({ tool: "Read", ctx: 900_000 }, { max_prune_ratio: 0.9 });
    expect(ordered.left_token_cnt).toBeLessThan(ordered.origin_token_cnt / 4);
    const { json: unsaid } = await ask({ tool: "Read", call: 3, ctx: null, edited_steps_ago: null, unknown: [] });
    expect(unsaid.left_token_cnt).toBeLessThan(unsaid.origin_token_cnt / 2);
  });

  it("an order is ranked for what its situation says the text is wanted for, and read by the path in it", async () => {
    const kept = async (more: object) => {
      const { json } = await ask({ tool: "Read", path: "a.py", ...more }, { max_prune_ratio: 0.8 });
      return json.kept_frags.join();
    };
    const read = await kept({ class: "read" });
    expect(read).toBe(await kept({}));
    expect(read).not.toBe(await kept({ class: "test" }));
    expect(read).not.toBe(await kept({ class: "run" }));
    // The class alone says that it is a search; a test has no ranking of its own.
    expect(await kept({ class: "search" })).not.toBe(read);
    expect(await kept({ path: "notes.md" })).not.toBe(read);
  });

  it("bad values are refused by name", async () => {
    for (const [field, value] of [
      ["ctx", "many"],
      ["class", "poem"],
      ["repeated", 2],
    ] as const) {
      const { status, json } = await ask({ tool: "Read", [field]: value });
      expect(status).toBe(422);
      expect(JSON.stringify(json)).toContain(`situation.${field}`);
    }
  });
});
