// `rudder archive` and `rudder search`: done work out of the way, and found again.
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/index.ts";
import { type Json, projectForTest, type TestHaven, taskPath, taskText } from "../haven-under-test.ts";

const DAY = 86_400_000;

/** T001 and T002 are done, T003 is cancelled, T004 and T005 are open; T005 waits for T002. */
async function halfDone(): Promise<TestHaven> {
  const test = await projectForTest(5);
  test.write(taskPath(1), taskText(1, { status: "Done", done_at: "2026-01-01T00:00:00.000Z" }));
  test.write(taskPath(2), taskText(2, { status: "Done", done_at: "2026-01-01T00:00:00.000Z" }));
  test.write(taskPath(3), taskText(3, { status: "Cancelled", cancelled_at: "2026-03-01T00:00:00.000Z" }));
  test.write(taskPath(5), taskText(5, { blocked_by: "[T002]" }));
  return test;
}

const idsOf = (list: Json): string[] => list.map((one: Json) => one.id);
const at =
  (iso: string): Clock =>
  () => ({ ...systemClock(), wallMs: Date.parse(iso) });

describe("archive", () => {
  it("X-66 shows first, then moves done and cancelled work out of list, ready, board and status", async () => {
    const test = await halfDone();
    const shown = await test.bin(["archive", "E001"]);
    expect(shown).toMatchObject({ code: 0, stderr: "note: T002 stays: T005 waits for it\n" });
    expect(shown.stdout).toContain("2 to archive; nothing was moved: --apply moves them");
    expect(idsOf(await test.json(["task", "list"]))).toHaveLength(5);

    const moved = await test.json(["archive", "E001", "--apply"]);
    expect(idsOf(moved.archived)).toEqual(["T001", "T003"]);
    expect(moved.kept).toEqual([{ id: "T002", reason: "T005 waits for it" }]);
    expect(idsOf(await test.json(["task", "list"]))).toEqual(["T002", "T004", "T005"]);
    const board = await test.json(["board"]);
    expect(board.columns.flatMap((column: Json) => idsOf(column.tasks)).sort()).toEqual(["T002", "T004", "T005"]);
    expect((await test.json(["status"])).tasks).toMatchObject({ total: 3, Cancelled: 0 });
    expect(idsOf(await test.json(["deps", "ready"]))).toEqual(["T004", "T005"]);
    expect((await test.json(["deps", "validate"])).findings).toEqual([]);
  });

  it("X-66 archived work is found by search and show, changed by nothing, and restored as it was", async () => {
    const test = await halfDone();
    const before = test.read(taskPath(1));
    await test.json(["task", "log", "T001", "the api wants UTC", "--tip"]);
    await test.json(["archive", "T001", "--apply"]);
    expect(await test.json(["task", "show", "T001"])).toMatchObject({ id: "T001", archived: true, status: "Done" });
    expect((await test.run(["task", "show", "T001"])).text).toContain("rudder archive --restore T001");
    expect(await test.json(["search", "number", "1."])).toEqual([
      { id: "T001", place: "text", line: 17, text: "Do number 1.", archived: true },
    ]);
    expect((await test.json(["search", "UTC"]))[0]).toMatchObject({ id: "T001", place: "log", archived: true });
    // siblings still learn from it.
    expect((await test.json(["task", "show-memory", "T002"])).epic_log[0].message).toBe("the api wants UTC");
    // "show and search find it where it is", whatever is shown of it.
    expect((await test.run(["artifact", "show", "T001"])).text).toContain("Do number 1.");
    expect((await test.json(["memory", "show", "T001"])).log[0].message).toBe("the api wants UTC");
    expect((await test.json(["task", "show-memory", "T001"])).log[0].message).toBe("the api wants UTC");
    for (const words of [
      ["task", "log", "T001", "late"],
      ["task", "update", "T001", "--title", "x"],
      ["assign", "claim", "T001"],
      ["deps", "add", "T004", "--blocked-by", "T001"],
      ["archive", "T001"],
    ]) {
      expect(await test.run(words), words.join(" ")).toMatchObject({ json: { error: { code: "archived" } } });
    }
    expect((await test.json(["archive", "--restore", "T001"])).restored).toEqual(["T001"]);
    expect(test.read(taskPath(1))).toBe(before);
    expect(await test.run(["archive", "--restore", "T001"])).toMatchObject({ exitCode: 1 });
  });

  it("X-66 a done epic and PRD go with their work and come back with it", async () => {
    const test = await projectForTest(2);
    for (const id of ["T001", "T002"]) await test.json(["task", "done", id]);
    await test.json(["epic", "update", "E001", "--status", "done"]);
    await test.json(["prd", "update", "PRD-001", "--status", "done"]);
    const { archived } = await test.json(["archive", "PRD-001", "--apply"]);
    expect(idsOf(archived)).toEqual(["T001", "T002", "E001", "PRD-001"]);
    expect(await test.json(["status"])).toMatchObject({ prds: { total: 0 }, epics: { total: 0 }, tasks: { total: 0 } });
    expect((await test.json(["prd", "create", "Next"])).id).toBe("PRD-002");
    expect((await test.json(["archive", "--restore", "T002"])).restored).toEqual(["PRD-001", "E001", "T002"]);
    expect((await test.json(["archive", "--restore", "T001"])).restored).toEqual(["T001"]);
    expect((await test.json(["deps", "validate"])).findings).toEqual([]);
  });

  it("X-63 work under a live lease stays, and says whose it is", async () => {
    const test = await projectForTest(1);
    await test.json(["assign", "claim", "T001", "--quiet"], { agent: "ada" });
    await test.json(["task", "done", "T001"], { agent: "ada" });
    expect((await test.json(["archive", "E001", "--apply"])).kept).toEqual([{ id: "T001", reason: "ada holds it" }]);
    const one = await test.run(["archive", "T001", "--apply"]);
    expect(one).toMatchObject({ exitCode: 1, text: expect.stringContaining("cannot be archived: ada holds it") });
  });

  it("X-66 --older-than takes what was closed so long ago, by the store's clock", async () => {
    const test = await halfDone();
    const clock = at("2026-03-15T00:00:00.000Z");
    expect(idsOf((await test.json(["archive", "--older-than", "30d"], { clock })).archived)).toEqual(["T001"]);
    expect(idsOf((await test.json(["archive", "--older-than", "2w"], { clock })).archived)).toEqual(["T001", "T003"]);
    const later = at(new Date(Date.parse("2026-03-15T00:00:00.000Z") + DAY).toISOString());
    expect(idsOf((await test.json(["archive", "E001", "--older-than", "15d"], { clock: later })).archived)).toEqual([
      "T001",
      "T003",
    ]);
  });

  it("X-66 done work in the archive keeps a task that was opened again from nothing", async () => {
    const test = await projectForTest(2);
    test.write(taskPath(1), taskText(1, { status: "Done" }));
    test.write(taskPath(2), taskText(2, { status: "Done", blocked_by: "[T001]" }));
    await test.json(["archive", "T001", "--apply"]);
    await test.json(["task", "update", "T002", "--status", "todo"]);
    expect(idsOf(await test.json(["deps", "ready"]))).toEqual(["T002"]);
    expect((await test.json(["board"])).columns[0].tasks[0]).toMatchObject({ id: "T002", waits_for: [] });
    expect((await test.json(["deps", "validate", "--fix"])).fixed).toEqual([]);
    expect((await test.run(["assign", "claim", "T002"], { agent: "ada" })).text).toContain("T001 [Done] Task 1");
  });

  it("RU-03 an id that is live and archived is never replaced, one way or the other", async () => {
    const test = await halfDone();
    await test.json(["archive", "T001", "--apply"]);
    const mine = taskText(1, { title: "Made by hand", status: "Done" });
    test.write(taskPath(1), mine);
    expect(await test.run(["archive", "--restore", "T001"])).toMatchObject({
      json: { error: { code: "duplicate_id" } },
    });
    expect(await test.run(["archive", "T001", "--apply"])).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining("the archive has another T001"),
    });
    expect(test.read(taskPath(1))).toBe(mine);
    expect(test.read(`archive/${taskPath(1)}`)).toContain("title: Task 1");
  });

  it.each([
    [["archive"], 2, "say what to archive"],
    [["archive", "--older-than", "soon"], 2, "a number and m, h, d or w"],
    [["archive", "T999"], 1, "there is no T999"],
    [["archive", "S001"], 2, "is no task id"],
    [["archive", "T004"], 1, "it is Not Started, not done"],
    [["archive", "E001", "--restore", "T001"], 2, "--restore stands alone"],
    [["archive", "--restore", "T001"], 1, "T001 is not archived"],
  ] as const)("X-24 refuses %j", async (words, exitCode, text) => {
    const test = await halfDone();
    expect(await test.run(words)).toMatchObject({ exitCode, text: expect.stringContaining(text) });
  });
});

describe("search", () => {
  it("X-24 words of which one is in a task's title and one in its log found nothing, as in the README", async () => {
    const test = await projectForTest(2);
    await test.json(["task", "update", "T001", "--title", "Parse the header"]);
    await test.json(["assign", "claim", "T001", "--quiet"], { agent: "ada" });
    expect(test.read("memory/T001.log")).toContain("Starting: Parse the header");
    await test.json(["task", "log", "T001", "The API wants UTC", "--tip"]);
    const hit = { id: "T001", place: "log", line: 2, text: "The API wants UTC", archived: false };
    expect(await test.json(["search", "header", "utc"])).toEqual([hit]);
    await test.json(["memory", "sync"]);
    expect(await test.json(["search", "header", "utc"])).toEqual([hit]);
    // Nothing of another task; and of an epic its text and its page.
    expect(await test.json(["search", "number 2", "utc"])).toEqual([]);
    await test.json(["memory", "add", "E001", "Rounded to cents"]);
    expect(await test.json(["search", "basket", "cents"])).toMatchObject([
      { id: "E001", place: "memory", text: "- Rounded to cents" },
    ]);
    // What has all words by itself is named alone.
    await test.json(["task", "log", "T001", "The header, too, in UTC"]);
    expect(await test.json(["search", "header", "utc"])).toMatchObject([{ text: "The header, too, in UTC" }]);
  });

  it("X-24 finds all words in any case, in titles, texts, tags, memory and logs, in the order of ids", async () => {
    const test = await projectForTest(3);
    test.write(taskPath(2), taskText(2, { title: "Zürich HEADER", tags: "[header, zürich]" }));
    test.write(taskPath(3), `${taskText(3)}\nThe header of Zürich\nis here.\n`);
    await test.json(["memory", "add", "E001", "Zürich sends a header"]);
    await test.json(["task", "log", "T001", "header from zürich", "-f", "src/a.ts"]);
    const hits = await test.json(["search", "zÜRICH", "header"]);
    expect(hits.map((hit: Json) => [hit.id, hit.place, hit.text])).toEqual([
      ["T002", "title", "Zürich HEADER"],
      ["T003", "text", "The header of Zürich"],
      ["E001", "memory", "- Zürich sends a header"],
      ["T001", "log", "header from zürich"],
    ]);
    expect(await test.json(["search", "zürich header"])).toEqual(hits);
    const line = test.read(taskPath(3)).split("\n")[hits[1].line - 1];
    expect(line).toBe("The header of Zürich");
    const limited = await test.run(["search", "header", "--limit", "1"]);
    expect(limited.text).toContain("… 3 more: --limit 4");
    expect(await test.bin(["search", "nowhere-at-all"])).toMatchObject({
      code: 0,
      stdout: "nothing has all of these words\n",
    });
    expect(await test.run(["search", " "])).toMatchObject({ exitCode: 2 });
  });
});
