// `rudder board` at every width, with letters of every width, and colours only where they belong.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToWidth, padToWidth, widthOf } from "../../src/answers/width.ts";
import { binPath, type Json, projectForTest, type TestHaven, taskPath, taskText } from "../haven-under-test.ts";

async function busyHaven(): Promise<TestHaven> {
  const test = await projectForTest(6);
  test.write(taskPath(2), taskText(2, { title: "支払いの見出しを解析する、そして続ける、とても長い題名" }));
  test.write(
    taskPath(3),
    taskText(3, { title: '"家族 👨‍👩‍👧‍👦 🇨🇭 ❤️ e\u0301 \\e[31mred\\a and a long tail of words behind it"' }),
  );
  test.write(taskPath(4), taskText(4, { blocked_by: "[T001]" }));
  test.write(taskPath(5), taskText(5, { status: "Done" }));
  test.write(taskPath(6), taskText(6, { status: "Cancelled" }));
  await test.json(["assign", "claim", "T001", "--quiet"], { agent: "ada" });
  return test;
}

describe("the board", () => {
  it.each([40, 60, 110, 200])("X-24 fits a terminal of %i columns and shows every id", async (columns) => {
    const test = await busyHaven();
    for (const hasColours of [false, true]) {
      const { text } = await test.run(["board"], { columns, hasColours });
      const plain = stripVTControlCharacters(text);
      for (const line of plain.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
      for (const id of ["T001", "T002", "T003", "T004", "T005", "T006"]) expect(plain).toContain(id);
      expect(plain).toContain("ada, 30 min left");
      expect(plain).toContain("waits for T001");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
      expect(/\u001b\[/.test(text)).toBe(hasColours);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: and nothing else that steers a terminal
      expect(text.replace(/\u001b\[\d+m/g, "")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    }
  });

  it("X-24 has four columns side by side where there is room, and one below the other where not", async () => {
    const test = await busyHaven();
    const wide = await test.run(["board"], { columns: 200 });
    expect(wide.text.split("\n")[0]).toMatch(/^READY 2 +CLAIMED 1 +BLOCKED 1 +DONE 2$/);
    const narrow = await test.run(["board"], { columns: 40 });
    expect(narrow.text.split("\n")[0]).toBe("READY 2");
    expect((await test.run(["board", "--limit", "1"], { columns: 40 })).text).toContain("… 1 more: --limit");
  });

  it("X-24 --json has every task with its column, holder and what it waits for", async () => {
    const test = await busyHaven();
    const done = await test.bin(["board", "--json"]);
    const { columns } = JSON.parse(done.stdout);
    expect(columns.map((column: Json) => [column.name, column.tasks.map((task: Json) => task.id)])).toEqual([
      ["ready", ["T002", "T003"]],
      ["claimed", ["T001"]],
      ["blocked", ["T004"]],
      ["done", ["T005", "T006"]],
    ]);
    expect(columns[1].tasks[0].lease).toMatchObject({ holder: "ada" });
    expect(columns[2].tasks[0].waits_for).toEqual(["T001"]);
  });

  it("X-24 without a terminal there are no colours and nothing is cut", async () => {
    const test = await busyHaven();
    const { stdout } = await test.bin(["board"]);
    expect(stdout).toContain("T002 支払いの見出しを解析する、そして続ける、とても長い題名\n");
    expect(stdout).not.toContain("\u001b");
  });

  it.each([
    ["with colours", {}, true],
    ["with NO_COLOR without", { NO_COLOR: "1" }, false],
  ])("X-24 on a real terminal of 40 columns it is drawn %s", async (_name, env, hasColours) => {
    const test = await busyHaven();
    const command = `stty cols 40 rows 30; exec '${process.execPath}' '${binPath()}' board`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: test.project,
      env: test.env({ TERM: "xterm", ...env }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    await once(child, "close");
    expect(out.includes("\u001b[32mREADY 2")).toBe(hasColours);
    const lines = stripVTControlCharacters(out).split(/\r?\n/);
    expect(lines).toContain("READY 2");
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(40);
  });
});

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["äß", 2],
    ["e\u0301", 1],
    ["支払い", 6],
    ["한글", 4],
    ["ｆｕｌｌ", 8],
    ["🎉", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["👍🏽", 2],
    ["🇨🇭", 2],
    ["❤️", 2],
    ["❤", 1],
    ["1️⃣", 2],
    ["\u200b", 0],
    ["𠀀", 2],
  ])("X-24 %j takes %i columns", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it("X-24 a cut text fits, and a padded one fills, whatever it holds", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "支", "👨‍👩‍👧‍👦", "e\u0301", "🇨🇭", " ", "…"), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (given, room) => {
        const cut = cutToWidth(given, room);
        expect(widthOf(cut)).toBeLessThanOrEqual(room);
        if (widthOf(given) <= room) expect(cut).toBe(given);
        expect(widthOf(padToWidth(cut, room))).toBe(room);
      }),
    );
  });
});
