// The text pruner's contract on the built bin: methods, schemas, results, errors, as a client sees them.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { VERSION } from "@jeeves/base";
import { estimateTokens } from "@jeeves/prune";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPTIONS, pruneArgs, type Service, startService, type Wire } from "./service-under-test.ts";
import { DOCS, LOG, PYTHON, RETRY_GOAL } from "./texts.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const MARKER =
  /^⟦PRUNÉ: prune_id=(?<prune_id>[^\s]+) lignes (?<start>\d+)-(?<end>\d+) \((?<count>\d+)\) raison=(?<reason>.*)⟧$/;

describe("the examples of the specification, with curl and jq", () => {
  const run = promisify(execFile);
  const bash = async (script: string) => JSON.parse((await run("bash", ["-o", "pipefail", "-c", script])).stdout);
  const curl = "curl -sS -H 'Content-Type: application/json'";

  it("K-09 K-13 K-45 tools/list", async () => {
    const { result } = await bash(
      `${curl} -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' ${service.url}/rpc | jq`,
    );
    expect(result.tools.map((tool: Wire) => tool.name)).toEqual(["prune_text", "recover_text", "health"]);
  });

  it("K-45 X-43 prune_text on four lines really prunes, and recover_text brings them back", async () => {
    const pruned = await bash(`${curl} -d '{
      "jsonrpc":"2.0",
      "id":2,
      "method":"tools/call",
      "params":{
        "name":"prune_text",
        "arguments":{
          "text":"L1\\nL2\\nL3\\nL4",
          "goal_hint":"garder L1",
          "source_type":"docs",
          "options":{
            "max_prune_ratio":0.75,
            "min_keep_lines":1,
            "timeout_ms":1500,
            "annotate_lines":true,
            "include_markers":true
          }
        }
      }
    }' ${service.url}/rpc | jq -r '.result.content[0].text' | jq`);
    expect(pruned.stats).toMatchObject({ original_lines: 4, kept_lines: 1, pruned_lines: 3, pruned_ratio: 0.75 });
    expect(pruned.pruned_text).toBe(`1│ L1\n${pruned.annotations[0].marker}`);

    const recovered = await bash(`${curl} -d '{
      "jsonrpc":"2.0",
      "id":3,
      "method":"tools/call",
      "params":{
        "name":"recover_text",
        "arguments":{
          "prune_id":"${pruned.prune_id}",
          "ranges":[{"start_line":1,"end_line":50}],
          "include_line_numbers":true
        }
      }
    }' ${service.url}/rpc | jq -r '.result.content[0].text' | jq`);
    expect(recovered).toEqual({
      raw_text: "1│ L1\n2│ L2\n3│ L3\n4│ L4",
      metadata: {
        prune_id: pruned.prune_id,
        ranges: [{ start_line: 1, end_line: 4 }],
        line_numbering: "original",
      },
    });
  });
});

describe("methods", () => {
  it("K-10 initialize, tools/list, tools/call", async () => {
    const { result } = await service.rpc("initialize", { protocolVersion: "2025-06-18" });
    expect(result).toMatchObject({ serverInfo: { name: "mcp-pruner", version: VERSION } });
  });

  it("X-40 notifications/initialized without an id is 202 without a body, with an id {ok:true}", async () => {
    const response = await fetch(`${service.url}/rpc`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    });
    expect([response.status, await response.text()]).toEqual([202, ""]);
    expect((await service.rpc("notifications/initialized")).result).toEqual({ ok: true });
  });

  it("K-11 resources, their templates and prompts are empty lists", async () => {
    expect((await service.rpc("resources/list")).result).toEqual({ resources: [] });
    expect((await service.rpc("resources/templates/list")).result).toEqual({ resourceTemplates: [] });
    expect((await service.rpc("prompts/list")).result).toEqual({ prompts: [] });
  });

  it("K-12 K-40 X-44 health as a method, as a tool and over GET", async () => {
    const health = {
      status: "healthy",
      server: "mcp-pruner",
      version: "0.1.0",
      capabilities: ["prune_text", "recover_text", "annotations", "markers"],
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
    };
    expect((await service.rpc("health")).result).toEqual(health);
    expect(await service.tool("health", {})).toEqual(health);
    const response = await fetch(`${service.url}/health`);
    expect([response.status, await response.json()]).toEqual([200, { ...health, model_loaded: true }]);
  });

  it("K-13 K-14 K-15 the schemas are exactly these", async () => {
    const { result } = await service.rpc("tools/list");
    const [prune, recover, health] = result.tools;
    for (const tool of result.tools) {
      expect(Object.keys(tool).sort()).toEqual(["description", "inputSchema", "name"]);
      expect(tool.description).not.toBe("");
    }
    expect(prune.inputSchema).toEqual({
      type: "object",
      properties: {
        text: { type: "string" },
        goal_hint: { type: "string" },
        source_type: { type: "string", enum: ["code", "logs", "docs"] },
        options: {
          type: "object",
          properties: {
            max_prune_ratio: { type: "number", minimum: 0, maximum: 1 },
            min_keep_lines: { type: "integer", minimum: 0 },
            timeout_ms: { type: "integer", minimum: 1 },
            annotate_lines: { type: "boolean" },
            include_markers: { type: "boolean" },
          },
          required: ["max_prune_ratio", "min_keep_lines", "timeout_ms", "annotate_lines", "include_markers"],
          additionalProperties: false,
        },
      },
      required: ["text", "goal_hint", "source_type", "options"],
      additionalProperties: false,
    });
    expect(recover.inputSchema).toEqual({
      type: "object",
      properties: {
        prune_id: { type: "string" },
        ranges: {
          type: "array",
          items: {
            type: "object",
            properties: { start_line: { type: "integer", minimum: 1 }, end_line: { type: "integer", minimum: 1 } },
            required: ["start_line", "end_line"],
            additionalProperties: false,
          },
        },
        include_line_numbers: { type: "boolean" },
      },
      required: ["prune_id", "ranges", "include_line_numbers"],
      additionalProperties: false,
    });
    expect(health.inputSchema).toEqual({ type: "object", properties: {}, additionalProperties: false });
  });

  it("K-41 -32601, -32602, X-38 exactly what the schema forbids", async () => {
    expect((await service.rpc("nope")).error.code).toBe(-32601);
    const good = pruneArgs("a\nb", "a");
    const wrong: [string, unknown][] = [
      ["an unknown tool", { name: "summarise", arguments: {} }],
      ["no text", { name: "prune_text", arguments: { ...good, text: undefined } }],
      ["one property too many", { name: "prune_text", arguments: { ...good, extra: 1 } }],
      ["one that hides", { name: "prune_text", arguments: { ...good, ["__proto__"]: 1 } }],
      ["an option too many", { name: "prune_text", arguments: { ...good, options: { ...OPTIONS, extra: 1 } } }],
      ["another source", { name: "prune_text", arguments: { ...good, source_type: "prose" } }],
      ["ratio 1.5", { name: "prune_text", arguments: pruneArgs("a", "a", { max_prune_ratio: 1.5 }) }],
      ["ratio below 0", { name: "prune_text", arguments: pruneArgs("a", "a", { max_prune_ratio: -0.1 }) }],
      ["negative lines", { name: "prune_text", arguments: pruneArgs("a", "a", { min_keep_lines: -1 }) }],
      ["half a line", { name: "prune_text", arguments: pruneArgs("a", "a", { min_keep_lines: 1.5 }) }],
      ["no time at all", { name: "prune_text", arguments: pruneArgs("a", "a", { timeout_ms: 0 }) }],
      ["a word for a bool", { name: "prune_text", arguments: pruneArgs("a", "a", { annotate_lines: "yes" }) }],
      ["a range with more", rangeCall({ start_line: 1, end_line: 1, x: 1 })],
      ["half a range", rangeCall({ start_line: 1 })],
      ["a line that is none", rangeCall({ start_line: 1.5, end_line: 2 })],
      ["health with arguments", { name: "health", arguments: { x: 1 } }],
    ];
    for (const [what, params] of wrong)
      expect((await service.rpc("tools/call", params)).error?.code, what).toBe(-32602);
    const half = await service.rpc("tools/call", rangeCall({ start_line: 1.5, end_line: 2 }));
    expect(half.error.data.issues).toMatchObject([{ path: "arguments.ranges.0.start_line", code: "invalid_type" }]);
    // JSON Schema's integers have no upper end.
    expect((await service.call("prune_text", pruneArgs("a\nb", "a", { timeout_ms: 1e20 }))).error).toBeUndefined();
  });
});

const rangeCall = (range: unknown) => ({
  name: "recover_text",
  arguments: { prune_id: "prn_aaaaaaaaaaaa", ranges: [range], include_line_numbers: false },
});

describe("prune_text", () => {
  it("K-17 K-18 K-19 K-20 K-23 K-24 K-26 the result, field by field", async () => {
    const { result } = await service.call("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    expect(Object.keys(result)).toEqual(["content"]);
    expect(result.content).toHaveLength(1);
    const answer = JSON.parse(result.content[0].text);
    expect(Object.keys(answer)).toEqual(["prune_id", "pruned_text", "annotations", "stats", "warnings"]);
    expect(answer.prune_id).toMatch(/^prn_[a-z2-7]{12}$/);
    expect(answer.warnings).toEqual([]);
    const { stats, annotations } = answer;
    expect(stats).toEqual({
      original_lines: PYTHON.split("\n").length - 1,
      kept_lines: stats.original_lines - stats.pruned_lines,
      pruned_lines: annotations.reduce((sum: number, each: Wire) => sum + each.pruned_line_count, 0),
      pruned_ratio: Math.floor((stats.pruned_lines * 10_000) / stats.original_lines) / 10_000,
      tokens_est_before: expect.any(Number),
      tokens_est_after: expect.any(Number),
      elapsed_ms: expect.any(Number),
      used_fallback: false,
    });
    expect(stats.tokens_est_before).toBe(estimateTokens(PYTHON));
    // Summed from what was measured while the engine worked, not from the answer's text.
    expect(Math.abs(stats.tokens_est_after / estimateTokens(answer.pruned_text) - 1)).toBeLessThan(0.05);
    expect(stats.tokens_est_after).toBeLessThan(stats.tokens_est_before);
    expect(annotations.length).toBeGreaterThan(1);
    for (const each of annotations) {
      expect(Object.keys(each)).toEqual([
        "kind",
        "original_start_line",
        "original_end_line",
        "pruned_line_count",
        "reason",
        "marker",
      ]);
      expect(each.kind).toBe("pruned_block");
      expect(each.pruned_line_count).toBe(each.original_end_line - each.original_start_line + 1);
      expect(MARKER.exec(each.marker)?.groups).toEqual({
        prune_id: answer.prune_id,
        start: String(each.original_start_line),
        end: String(each.original_end_line),
        count: String(each.pruned_line_count),
        reason: each.reason,
      });
      expect(answer.pruned_text.split("\n")).toContain(each.marker);
    }
  });

  it("K-01 X-21 the same call gives the same bytes", async () => {
    const once = await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    const again = await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    const withoutTime = (answer: Wire) => ({ ...answer, stats: { ...answer.stats, elapsed_ms: 0 } });
    expect(withoutTime(again)).toEqual(withoutTime(once));
  });

  it("K-01 the goal decides what stays", async () => {
    const { pruned_text } = await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    expect(pruned_text).toContain("return min(delay, 60000)");
    expect(pruned_text).not.toContain('title = value.title + "7"');
  });

  it("K-28 code keeps its frame whatever the ratio: imports, headers, the opening comment", async () => {
    const { pruned_text } = await service.tool(
      "prune_text",
      pruneArgs(PYTHON, RETRY_GOAL, { max_prune_ratio: 1, min_keep_lines: 0 }),
    );
    for (const line of [
      "# Delivers messages to their receivers.",
      "import json",
      "from time import sleep",
      "class Mailbox:",
      "    def open(self):",
    ]) {
      expect(pruned_text.split("\n")).toContain(line);
    }
    expect(pruned_text.match(/^def rename_album_/gm)).toHaveLength(12);
  });

  it("K-29 logs keep error, exception and traceback", async () => {
    const args = pruneArgs(LOG, "request 3", { source_type: "logs", max_prune_ratio: 1, min_keep_lines: 0 });
    const { pruned_text, stats } = await service.tool("prune_text", args);
    expect(stats.pruned_lines).toBeGreaterThan(40);
    for (const line of LOG.split("\n").filter((each) => /error|exception|traceback/i.test(each))) {
      expect(pruned_text.split("\n")).toContain(line);
    }
  });

  it("K-30 docs keep their titles, and a block of code goes or stays as a whole", async () => {
    const args = pruneArgs(DOCS, "palette setting", { source_type: "docs", max_prune_ratio: 0.6 });
    const { pruned_text, stats } = await service.tool("prune_text", args);
    expect(stats.pruned_lines).toBeGreaterThan(0);
    const lines = pruned_text.split("\n");
    for (const title of ["# Guide", "## Installing", "## Colours"]) expect(lines).toContain(title);
    const fence = ["```sh", "tar xf chair.tar", "make chair", "make install"];
    expect([0, fence.length]).toContain(fence.filter((line) => lines.includes(line)).length);
  });

  it("K-31 what stands between the directives stays, and so do they", async () => {
    const inside = Array.from({ length: 10 }, (_, index) => `nothing to do with it ${index}`);
    const text = [...LOG.split("\n").slice(0, 20), "⟦NO_PRUNE_BEGIN⟧", ...inside, "⟦NO_PRUNE_END⟧", "last"].join("\n");
    for (const source_type of ["code", "logs", "docs"]) {
      const args = pruneArgs(text, "request 3", { source_type, max_prune_ratio: 1, min_keep_lines: 0 });
      const { pruned_text } = await service.tool("prune_text", args);
      expect(pruned_text).toContain(["⟦NO_PRUNE_BEGIN⟧", ...inside, "⟦NO_PRUNE_END⟧"].join("\n"));
    }
  });

  it("K-21 K-25 numbers stand before kept lines, never before markers; annotations are unchanged", async () => {
    const plain = await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    const numbered = await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL, { annotate_lines: true }));
    const original = PYTHON.split("\n");
    for (const line of numbered.pruned_text.split("\n").slice(0, -1)) {
      if (MARKER.test(line)) continue;
      const [, number = "", content] = /^(\d+)│ (.*)$/.exec(line) ?? [];
      expect(content).toBe(original[Number(number) - 1]);
    }
    const places = (answer: Wire) =>
      answer.annotations.map((each: Wire) => [each.original_start_line, each.original_end_line, each.reason]);
    expect(places(numbered)).toEqual(places(plain));
  });

  it("K-22 without include_markers there is no marker in the text, but one in each annotation", async () => {
    const { pruned_text, annotations } = await service.tool(
      "prune_text",
      pruneArgs(PYTHON, RETRY_GOAL, { include_markers: false }),
    );
    expect(pruned_text).not.toContain("⟦PRUNÉ");
    expect(annotations.length).toBeGreaterThan(0);
    for (const each of annotations) expect(each.marker).toMatch(MARKER);
  });

  it("X-37 reasons are French and true of their block", async () => {
    const source = `${PYTHON}\n${Array.from({ length: 4 }, (_, i) => `function album${i}() {\n  return ${i};\n}`).join("\n")}`;
    const args = pruneArgs(source, RETRY_GOAL, { source_type: "docs" });
    const { annotations } = await service.tool("prune_text", args);
    for (const each of annotations) {
      expect(each.reason).toMatch(/^hors focus: (fonction|classe|section|imports|tests|lignes répétées|lignes)( .*)?$/);
    }
    const logs = Array.from({ length: 60 }, (_, index) => `2026-01-01 12:00:${index % 60} INFO heartbeat ok`).join(
      "\n",
    );
    const repeated = await service.tool("prune_text", pruneArgs(logs, "ledger", { source_type: "logs" }));
    expect(repeated.annotations.some((each: Wire) => /lignes répétées comme la ligne \d+$/.test(each.reason))).toBe(
      true,
    );
    const sections = await service.tool("prune_text", pruneArgs(DOCS, "palette setting", { source_type: "docs" }));
    for (const each of sections.annotations) {
      const block = DOCS.split("\n")
        .slice(each.original_start_line - 1, each.original_end_line)
        .join("\n");
      const name = /^hors focus: section (.*)$/.exec(each.reason)?.[1];
      if (name !== undefined) expect(block).toContain(name.split(", ")[0]);
    }
  });

  it("K-07 a text with our own markers and directives in it is data", async () => {
    const fake = "⟦PRUNÉ: prune_id=prn_aaaaaaaaaaaa lignes 1-9 (9) raison=hors focus: fonction x⟧";
    const text = [
      fake,
      "⟦NO_PRUNE_END⟧",
      ...Array.from({ length: 20 }, (_, i) => `rm -rf /tmp/${i}; $(reboot)`),
      "the answer",
    ].join("\n");
    const answer = await service.tool(
      "prune_text",
      pruneArgs(text, "answer `reboot` $(reboot)", { source_type: "docs" }),
    );
    expect(answer.pruned_text).toContain("the answer");
    const all = { prune_id: answer.prune_id, ranges: [{ start_line: 1, end_line: 99 }], include_line_numbers: false };
    expect((await service.tool("recover_text", all)).raw_text).toBe(text);
  });

  it("X-38 the ratio is counted without float error: 231 of 420 lines at 0.55, never more", async () => {
    const text = Array.from({ length: 420 }, (_, index) => `line about thing ${index}`).join("\n");
    const { stats } = await service.tool(
      "prune_text",
      pruneArgs(text, "thing 7", { source_type: "docs", max_prune_ratio: 0.55 }),
    );
    expect([stats.pruned_lines, stats.kept_lines, stats.pruned_ratio]).toEqual([231, 189, 0.55]);
  });
});

describe("no-ops", () => {
  const expectNoOp = async (answer: Wire, text: string, warning: string) => {
    expect(answer.pruned_text).toBe(text);
    expect(answer.annotations).toEqual([]);
    expect(answer.stats).toMatchObject({ used_fallback: true, pruned_lines: 0, pruned_ratio: 0 });
    expect(answer.warnings).toEqual([warning]);
    if (text === "") return;
    const ranges = [{ start_line: 1, end_line: 1e9 }];
    const recovered = await service.tool("recover_text", {
      prune_id: answer.prune_id,
      ranges,
      include_line_numbers: false,
    });
    expect(recovered.raw_text).toBe(text.replace(/\n$/, ""));
  };

  it("K-04 K-32 K-33 constraints_unmet: more lines must stay than there are; never annotated", async () => {
    const args = pruneArgs("a\nb\nc\n", "a", { min_keep_lines: 4, annotate_lines: true });
    await expectNoOp(await service.tool("prune_text", args), "a\nb\nc\n", "constraints_unmet");
    const more = pruneArgs("a\nb", "a", { min_keep_lines: 1e20 });
    await expectNoOp(await service.tool("prune_text", more), "a\nb", "constraints_unmet");
  });

  it("X-38 ratio 0 and the empty text are no failures", async () => {
    const none = await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL, { max_prune_ratio: 0 }));
    expect(none).toMatchObject({ pruned_text: PYTHON, annotations: [], warnings: [] });
    expect(none.stats).toMatchObject({ used_fallback: false, pruned_ratio: 0 });
    const empty = await service.tool("prune_text", pruneArgs("", "x", { min_keep_lines: 0 }));
    expect(empty).toMatchObject({ pruned_text: "", annotations: [], warnings: [] });
    expect(empty.stats).toMatchObject({ used_fallback: false, original_lines: 0, pruned_ratio: 0 });
  });

  it("K-27 K-33 timeout: a large text in a millisecond", async () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `const value${index} = compute(${index});`).join("\n");
    const answer = await service.tool("prune_text", pruneArgs(text, "value7", { timeout_ms: 1 }));
    // On a busy machine the text may be stored a moment after the answer.
    const first = { prune_id: answer.prune_id, ranges: [{ start_line: 1, end_line: 1 }], include_line_numbers: false };
    await expect
      .poll(async () => (await service.call("recover_text", first)).error, { timeout: 30_000 })
      .toBeUndefined();
    await expectNoOp(answer, text, "timeout");
  });
});

describe("recover_text", () => {
  let pruneId: string;
  const text = "één\n\n\tdrie\r\nvier\nvijf\n";
  beforeAll(async () => {
    pruneId = (await service.tool("prune_text", pruneArgs(text, "vier", { source_type: "docs" }))).prune_id;
  });
  const recover = (ranges: unknown, more: Readonly<Record<string, unknown>> = {}) =>
    service.call("recover_text", { prune_id: pruneId, ranges, include_line_numbers: false, ...more });
  const textOf = (answer: Wire) => JSON.parse(answer.result.content[0].text);

  it("K-35 X-48 ranges in the order asked, joined by one newline, nothing after the last", async () => {
    const answer = textOf(
      await recover([
        { start_line: 4, end_line: 5 },
        { start_line: 1, end_line: 3 },
      ]),
    );
    expect(answer.raw_text).toBe("vier\nvijf\néén\n\n\tdrie\r");
    const numbered = textOf(await recover([{ start_line: 2, end_line: 3 }], { include_line_numbers: true }));
    expect(numbered.raw_text).toBe("2│ \n3│ \tdrie\r");
  });

  it("K-36 X-38 end_line is clamped, and metadata says so", async () => {
    const { metadata } = textOf(await recover([{ start_line: 5, end_line: 1e15 }]));
    expect(metadata).toEqual({
      prune_id: pruneId,
      ranges: [{ start_line: 5, end_line: 5 }],
      line_numbering: "original",
    });
  });

  it("K-16 recover_range is the same", async () => {
    const args = { prune_id: pruneId, ranges: [{ start_line: 1, end_line: 1 }], include_line_numbers: false };
    expect((await service.tool("recover_range", args)).raw_text).toBe("één");
  });

  it("K-05 K-37 K-39 an unknown id is -32004 and says what to do", async () => {
    for (const id of ["prn_aaaaaaaaaaaa", "prn_...", "../../etc/passwd", ""]) {
      const { error } = await recover([{ start_line: 1, end_line: 1 }], { prune_id: id });
      expect(error).toMatchObject({ code: -32004, message: "prune_id_not_found" });
      expect(error.data).toMatchObject({ code: "prune_id_not_found", prune_id: id, hint: expect.any(String) });
    }
  });

  it.each([
    ["reversed", [{ start_line: 3, end_line: 2 }], "start_line is after end_line"],
    ["line 0", [{ start_line: 0, end_line: 2 }], "lines count from 1"],
    ["a line below 0", [{ start_line: -5, end_line: -1 }], "lines count from 1"],
    [
      "the second one reversed",
      [
        { start_line: 1, end_line: 1 },
        { start_line: 2, end_line: 1 },
      ],
      "start_line is after end_line",
    ],
    ["none", [], "ranges is empty"],
  ])("K-38 X-38 %s is -32005, and says why", async (_what, ranges, reason) => {
    expect((await recover(ranges)).error).toMatchObject({
      code: -32005,
      message: "invalid_range",
      data: { code: "invalid_range", reason },
    });
  });

  it("J-19 J-22 K-41 more than 10,000 ranges are one -32602, whatever is in them", async () => {
    const first = { start_line: 1, end_line: 1 };
    expect((await recover(Array(10_000).fill(first))).error).toBeUndefined();
    for (const ranges of [Array(10_001).fill(first), Array(10_001).fill(0)]) {
      const { error } = await recover(ranges);
      expect(error.code).toBe(-32602);
      expect(error.data.issues).toEqual([{ path: "arguments.ranges", code: "too_big", message: "too_big" }]);
    }
  });

  it("X-41 a start_line past the end is -32005 with max_line", async () => {
    const { error } = await recover([{ start_line: 6, end_line: 9 }]);
    expect(error).toMatchObject({
      code: -32005,
      data: { code: "invalid_range", max_line: 5, reason: "the text has 5 lines" },
    });
  });

  it("K-38 the same lines over and over are -32005 before they fill the memory; twice is no crime", async () => {
    const long = "a line of the text\n".repeat(100_000);
    const { prune_id } = await service.tool("prune_text", pruneArgs(long, "x", { source_type: "logs" }));
    const everything = { start_line: 1, end_line: 100_000 };
    const twice = textOf(await recover([everything, everything], { prune_id }));
    expect(twice.raw_text).toBe(long + long.slice(0, -1));
    const { error } = await recover(Array(1_000).fill(everything), { prune_id });
    expect(error).toMatchObject({ code: -32005, message: "invalid_range", data: { code: "invalid_range", prune_id } });
    expect(error.data.reason).toContain("1900000000 characters");
  });
});
