// a failing command that is run again in one session. The outputs in reruns/ are those of real runs: between the
// first and the second one a test was added, one fails with another value, one was mended, and others moved.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pruneIdsIn } from "@jeeves/base";
import { estimateTokens } from "@jeeves/cut";
import { afterEach, describe, expect, it } from "vitest";
import { createSession, programOf, type RunOptions, removeSessions } from "./rerun-session.ts";

afterEach(removeSessions);

const outputOf = (tool: string, nth: 1 | 2) =>
  readFileSync(new URL(`reruns/${tool}-${nth}.txt`, import.meta.url), "utf8");
const [FIRST, SECOND] = [outputOf("vitest", 1), outputOf("vitest", 2)];
const AS_BEFORE = /^\[\d+ failures? as before, shown at an earlier run of this command: /m;

/** What the model gets of a text that is the first of its session. */
async function alone(text: string, options?: RunOptions): Promise<string> {
  return (await createSession()).run(text, options);
}

const RECORDED = [
  {
    tool: "vitest",
    command: "npx vitest run",
    told: ["test/f1.test.js > part 1 > adds numbers", "test/f4.test.js > part 4 > keeps an object of part 4"],
    hidden: ["AssertionError: expected 7 to be 6 // Object.is equality", "     10|"],
    shown: [
      "AssertionError: expected 18 to be 6 // Object.is equality",
      "+ 18",
      " FAIL  test/f4.test.js > is new and fails",
      "TypeError: the queue is closed",
      " ❯ test/f4.test.js:18:9",
      "      Tests  8 failed | 5 passed (13)",
    ],
    said: [
      "6 failures as before",
      "1 new: test/f4.test.js > is new and fails",
      "1 changed: test/f2.test.js > part 2 > adds numbers",
      "1 not reported any more: test/f3.test.js > part 3 > adds numbers",
    ],
  },
  {
    tool: "pytest",
    command: "pytest -q",
    told: ["TestTotals.test_sum", "TestTotals.test_words", "test_object", "test_dir"],
    hidden: ["E        +  where 4 = total([1, 2])", "test_a.py:13: AssertionError"],
    shown: [
      "E       assert (1 * 2) == (1 + 11)",
      "E       assert (3 * 2) == (3 + 11)",
      "E       KeyError: 'missing-key'",
      "FAILED test_a.py::test_brand_new - KeyError: 'missing-key'",
      "8 failed in 2.08s",
    ],
    said: ["4 failures as before", "1 new: test_brand_new", "3 changed: test_each[1]; test_each[2]; test_each[3]"],
  },
  {
    tool: "cargo",
    command: "cargo test",
    told: ["tests::adds", "tests::parts", "tests::unwraps", "tests::words"],
    hidden: ["the greeting has no farewell"],
    shown: [
      "assertion `left == right` failed: with a message about adding more",
      "  left: 14",
      // Its first assertion was mended: the second one fails with the same values.
      "assertion `left == right` failed: the total of both is not their sum",
      "  left: 4",
      "a new panic",
      "test result: FAILED. 0 passed; 7 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    ],
    said: ["4 failures as before", "1 new: tests::brand_new", "2 changed: tests::adds_more; tests::adds_both"],
  },
  {
    tool: "tsc",
    command: "npx tsc --noEmit",
    told: ["f29.ts:1,3", "f30.ts:1,3"],
    hidden: ["f1.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'."],
    shown: [
      "f3.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.",
      "f7.ts(5,32): error TS2552: Cannot find name 'undefinedName'. Did you mean 'undefined'?",
    ],
    said: [
      "54 failures as before",
      "3 more failed as before",
      "1 new: f7.ts(5,32): error TS2552",
      "2 changed: f3.ts(2,14)",
      "1 not reported any more: f9.ts(1,14)",
    ],
  },
];

describe.each(["claude-code", "codex", "codex, in programs"] as const)("a rerun in %s", (client) => {
  it.each(RECORDED)("X-56 $tool: what is as before is named, the rest is shown", async (recorded) => {
    const { tool, command, told, hidden, shown, said } = recorded;
    const [first, second] = [outputOf(tool, 1), outputOf(tool, 2)];
    const session = await createSession(client);
    expect(await session.run(first, { command })).not.toMatch(AS_BEFORE);
    const again = await session.run(second, { command });
    const lines = again.trimEnd().split("\n");
    const note = lines.at(-2) ?? "";
    expect(note).toMatch(AS_BEFORE);
    for (const words of [...said, ...told]) expect(note).toContain(words);
    for (const line of shown) expect(lines).toContain(line);
    for (const line of hidden) expect(lines.filter((one) => one.startsWith(line))).toEqual([]);
    const [pruneId = ""] = pruneIdsIn(lines.at(-1) ?? "");
    expect((await session.store.get(pruneId))?.text).toBe(second);
  });

  it("X-56 a third run names what only the first one showed", async () => {
    const session = await createSession(client);
    await session.run(FIRST);
    await session.run(SECOND);
    const third = await session.run(SECOND);
    expect(third).toContain("8 failures as before");
    expect(third).toContain("nothing new");
    expect(third).not.toContain("AssertionError");
    expect(third).toContain("      Tests  8 failed | 5 passed (13)");
  });
});

describe("a rerun", () => {
  it("X-56 X-57 is counted like any cut, against what the client would have shown", async () => {
    const session = await createSession();
    await session.run(FIRST);
    const again = await session.run(SECOND);
    const [entry, ...more] = await session.meterLines();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      kind: "cut",
      raw_tokens: estimateTokens(SECOND),
      shown_tokens: estimateTokens(SECOND),
    });
    expect(entry?.kept_tokens).toBe(estimateTokens(again.trimEnd()));
  });

  it("X-56 a failure that went away and came back is new", async () => {
    const session = await createSession();
    await session.run(FIRST);
    await session.run(SECOND);
    const third = await session.run(FIRST);
    expect(third).toContain("1 new: test/f3.test.js > part 3 > adds numbers");
    expect(third.split("\n")).toContain(" FAIL  test/f3.test.js > part 3 > adds numbers");
    expect(third).toContain("AssertionError: expected 9 to be 6");
  });

  it("X-56 what was compacted is not in the context: everything is shown", async () => {
    for (const record of [
      { type: "system", subtype: "compact_boundary" },
      { type: "user", isCompactSummary: true, message: { role: "user", content: "A summary." } },
    ]) {
      const session = await createSession();
      await session.run(FIRST);
      await session.write(record);
      // Its context is not known before the next answer, and another text has other words around it.
      const again = await session.run(SECOND);
      expect(again).not.toMatch(AS_BEFORE);
      expect(again).toContain("AssertionError: expected 7 to be 6");
    }
  });

  it("X-56 after a rewind, what the branch left behind showed is not in the context: everything is shown", async () => {
    const session = await createSession();
    await session.run(FIRST);
    await session.write({ type: "user", parentUuid: "u1", message: { role: "user", content: "Run the tests." } });
    const again = await session.run(SECOND);
    expect(again).toBe(await alone(SECOND));
    expect(again).toContain("AssertionError: expected 7 to be 6");
    expect(await session.run(SECOND)).toContain("8 failures as before");
  });

  it("X-56 a rewind to behind a run leaves it in the context", async () => {
    const session = await createSession();
    await session.run(FIRST);
    await session.run("x", { command: "echo x" });
    await session.write({ type: "user", parentUuid: "u3", message: { role: "user", content: "Run them again." } });
    expect(await session.run(SECOND)).toContain("6 failures as before");
  });

  it("X-56 a run beside another call of its message is in the context, unless a rewind left it behind", async () => {
    for (const [parentUuid, isThere] of [
      ["s", true],
      ["a", false],
    ] as const) {
      const session = await createSession();
      const call = (place: object, id: string, command: string) => {
        const content = [{ type: "tool_use", id, name: "Bash", input: { command } }];
        return { type: "assistant", cwd: session.dir, message: { id: "m", role: "assistant", content }, ...place };
      };
      const result = (place: object, id: string, content: string) => {
        const blocks = [{ type: "tool_result", tool_use_id: id, content }];
        return { type: "user", message: { role: "user", content: blocks }, ...place };
      };
      const said = { id: "n", role: "assistant", content: [{ type: "text", text: "Both are done." }] };
      await session.write(
        call({ uuid: "a" }, "one", "npm run lint"),
        call({ uuid: "b", parentUuid: "a" }, "two", "npm test"),
        result({ uuid: "rb", parentUuid: "b" }, "two", FIRST),
        result({ uuid: "ra", parentUuid: "a" }, "one", "fine"),
        { type: "assistant", uuid: "s", parentUuid: "ra", message: said },
        { type: "user", parentUuid, message: { role: "user", content: "Run the tests." } },
      );
      expect(AS_BEFORE.test(await session.run(SECOND))).toBe(isThere);
    }
  });

  it("X-56 where old results were cleared, or turns taken back, everything is shown", async () => {
    for (const [client, record] of [
      ["claude-code", { type: "system", subtype: "microcompact_boundary", content: "Context microcompacted" }],
      ["codex", { type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } }],
    ] as const) {
      const session = await createSession(client);
      await session.run(FIRST);
      await session.write(record);
      expect(await session.run(SECOND)).not.toMatch(AS_BEFORE);
    }
  });

  it.each<[string, RunOptions]>([
    ["another command", { command: "npm test -- --run" }],
    ["a subagent's", { isSubagents: true }],
    ["one that still runs", { exitCode: undefined }],
    ["a session without a transcript", { transcriptPath: "/nonexistent/session.jsonl" }],
  ])("X-56 %s is shown as the first one of a session", async (_, options) => {
    const session = await createSession();
    await session.run(FIRST);
    const again = await session.run(SECOND, options);
    expect(again).not.toMatch(AS_BEFORE);
    expect(again).toContain("AssertionError: expected 7 to be 6");
  });

  it("X-56 a command in another directory is another one, by either client's words for it", async () => {
    for (const client of ["claude-code", "codex", "codex, in programs"] as const) {
      const session = await createSession(client);
      const dir = join(session.dir, "other");
      await mkdir(dir);
      await session.run(FIRST);
      expect(await session.run(SECOND, { dir })).not.toMatch(AS_BEFORE);
      expect(await session.run(SECOND, { dir })).toMatch(AS_BEFORE);
    }
  });

  it.each([
    ["runs it twice", `${programOf("npm test")}${programOf("npm test")}`],
    ["runs it in a loop", `for (const i of [1, 2]) { ${programOf("npm test")} }`],
    ["makes up its words", 'const cmd = "npm test";\nawait tools.exec_command({ cmd });'],
    ["has other words", "const what = 'test';\nawait tools.exec_command({ cmd: `npm $".concat("{what}` });")],
    ["runs another one", programOf("npm test -- --run")],
  ])("X-56 a program that %s is no earlier run", async (_, input) => {
    const call = (id: string, code: string) => ({
      type: "response_item",
      payload: { type: "custom_tool_call", name: "exec", call_id: id, input: code },
    });
    const result = (id: string, output: string) => ({
      type: "response_item",
      payload: { type: "custom_tool_call_output", call_id: id, output },
    });
    const [once, session] = [await createSession("codex, in programs"), await createSession("codex, in programs")];
    const shown = await once.run(FIRST);
    await session.write(call("p1", input), result("p1", shown));
    expect(await session.run(SECOND)).not.toMatch(AS_BEFORE);
  });

  it("X-56 of a program that may have shown a part, only what it showed is as before, and nothing is called new", async () => {
    const item = (payload: object) => ({ type: "response_item", payload });
    const input = programOf("npm test").replace("text(output)", "text(output.trim())");
    const session = await createSession("codex, in programs");
    const part = FIRST.slice(FIRST.indexOf(" FAIL "), FIRST.lastIndexOf(" FAIL "));
    await session.write(
      item({ type: "custom_tool_call", name: "exec", call_id: "p1", input }),
      item({ type: "custom_tool_call_output", call_id: "p1", output: part }),
    );
    const again = await session.run(SECOND);
    expect(again).toMatch(AS_BEFORE);
    expect(again).toContain("TypeError: the queue is closed");
    expect(again).not.toMatch(/\d new: |nothing new/);
    const reasonBelow = (at: number) => FIRST.slice(at).split("\n")[1] ?? "";
    expect(again).not.toContain(reasonBelow(FIRST.indexOf(" FAIL ")));
    expect(again).toContain(reasonBelow(FIRST.lastIndexOf(" FAIL ")));
  });

  it("X-56 two sessions on one project know nothing of each other", async () => {
    const [one, other] = [await createSession(), await createSession()];
    await one.run(FIRST, { dir: one.dir });
    expect(await other.run(SECOND, { dir: one.dir })).toBe(await alone(SECOND));
  });

  it("X-56 torn records are passed over; what cannot be read is no transcript", async () => {
    const session = await createSession();
    await session.run(FIRST);
    await appendFile(session.transcript, '{"type":"assistant","message":{"role":"assi\n\0\0\0\n');
    expect(await session.run(SECOND)).toMatch(AS_BEFORE);
    const fifo = join(session.dir, "fifo.jsonl");
    execFileSync("mkfifo", [fifo]);
    expect(await session.run(SECOND, { transcriptPath: fifo })).not.toMatch(AS_BEFORE);
    expect(await session.run(SECOND, { transcriptPath: session.dir })).not.toMatch(AS_BEFORE);
  });

  it("X-56 a command with quotes in it, far back in a long transcript, is found by either client's words for it", async () => {
    for (const client of ["claude-code", "codex"] as const) {
      const session = await createSession(client);
      const command = "npx vitest run -t \"adds 'two' numbers\" --reporter=default\\\\ # ü";
      await session.run(FIRST, { command });
      for (let index = 0; index < 30; index++) await session.run("x".repeat(100_000), { command: "echo x" });
      expect(await session.run(SECOND, { command })).toMatch(AS_BEFORE);
    }
  });

  it("X-56 beyond the last megabytes of a transcript nothing is looked for", async () => {
    const session = await createSession();
    await session.run(FIRST);
    // A diff is shown whole.
    const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+${"x".repeat(100_000)}\n`;
    for (let index = 0; index < 50; index++) await session.run(diff, { command: "git diff" });
    expect(await session.run(SECOND)).not.toMatch(AS_BEFORE);
  });

  it("X-56 where the last run's text is gone from the store, everything is shown", async () => {
    const session = await createSession();
    await session.run(FIRST);
    const again = await session.run(SECOND);
    const [pruneId = ""] = pruneIdsIn(again);
    const other = await createSession();
    await other.run(`${FIRST}[rest: recover_text ${pruneId}]`);
    expect(await other.run(SECOND)).toBe(await alone(SECOND));
  });

  it("X-56 a rerun of fewer than 400 tokens stays as it is", async () => {
    const small = FIRST.slice(FIRST.indexOf(" FAIL "), FIRST.indexOf("[2/8]"));
    expect(estimateTokens(small)).toBeLessThan(400);
    const session = await createSession();
    await session.run(small);
    expect(await session.run(small)).toBe(small);
  });

  it("X-56 of more failures than the client shows the new one is shown in full, and all have their name or their file", async () => {
    const failure = (name: string, value: number) => [
      ` FAIL  ${name}`,
      `AssertionError: expected ${value} to be 6 // Object.is equality`,
      "",
      ...Array.from({ length: 12 }, (_, line) => `${line % 2 === 0 ? "-" : "+"}   "field ${line}": "${name} ${line}",`),
      "",
      ` ❯ ${name.split(" ")[0]}:${value}:17`,
      "⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/60]⎯",
      "",
    ];
    const old = Array.from({ length: 60 }, (_, index) =>
      failure(`test/f${index % 6}.test.ts > case ${index}`, index + 7),
    );
    const sum = ["", " Test Files  6 failed (6)", "      Tests  61 failed (61)", ""];
    const fresh = failure("test/f9.test.ts > the new one", 500);
    const session = await createSession();
    await session.run([...old.flat(), ...sum].join("\n"));
    const again = await session.run([...old.slice(0, 40).flat(), ...fresh, ...old.slice(40).flat(), ...sum].join("\n"));
    expect(again.length).toBeLessThan(9_000);
    for (const line of fresh.slice(0, -2)) expect(again.split("\n")).toContain(line);
    expect(again).toContain("1 new: test/f9.test.ts > the new one");
    expect(again).toContain("60 failures as before");
    for (let file = 0; file < 6; file++) expect(again).toContain(`test/f${file}.test.ts (10)`);
  });

  it("X-56 tests of one name in two packages of go are two failures, though their reports are the same to the letter", async () => {
    const outputOf = (name: string) =>
      [
        ...Array.from({ length: 200 }, (_, i) => `--- PASS: TestFine${i} (0.00s)`),
        ...[1, 2, 3, 4, 5].flatMap((n) => [
          `--- FAIL: TestTotal${n} (0.00s)`,
          `    total_test.go:${n}0: got ${n}, want 7`,
          "        the rows are in order",
          "        the last one is missing",
          "        nothing was rounded",
        ]),
        "FAIL",
        `FAIL\texample.com/${name}\t0.012s`,
        "FAIL\n",
      ].join("\n");
    const options = { command: "go test ./..." };
    const session = await createSession();
    await session.run(outputOf("bill"), options);
    expect(await session.run(outputOf("bill"), options)).toContain("[5 failures as before");
    expect(await session.run(outputOf("order"), options)).toBe(await alone(outputOf("order"), options));
    const both = await session.run(outputOf("order") + outputOf("bill"), options);
    expect(both).toContain("5 new: example.com/bill::TestTotal1; ");
    expect(both).toContain(
      "[5 failures as before, shown at an earlier run of this command: example.com/order::TestTotal1; ",
    );
  });
});
