// Ids and statuses: many spellings in, one out; and nothing that could be a path.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_DIGITS, idsIn, normaliseId, parseId } from "../src/index.ts";
import { parseStatus, readStatus } from "../src/statuses.ts";

describe("ids", () => {
  it.each([
    ["T42", "T042"],
    ["t042", "T042"],
    ["T0000042", "T042"],
    ["T4200", "T4200"],
    ["prd-1", "PRD-001"],
    ["PRD1", "PRD-001"],
    ["e7", "E007"],
    ["S001", "S001"],
  ])("RU-03 %s is %s", (text, id) => {
    expect(normaliseId(text)).toBe(id);
  });

  it("RU-03 the number of digits is a setting", () => {
    expect(normaliseId("T42", { ...DEFAULT_DIGITS, task: 5 })).toBe("T00042");
  });

  it.each(["", "T", "T0", "T-1", "42", "T42x", "../T42", "T42/../T43", "T042;rm", "$(T42)", "T42 T43", "--T42"])(
    "RU-03 %j is no id",
    (text) => {
      if (text.trim() === "T42") return expect(normaliseId(text)).toBe("T042");
      expect(normaliseId(text)).toBeUndefined();
      expect(() => parseId(text, { kinds: ["task"] })).toThrow(/is no task id like T042/);
    },
  );

  it("RU-05 PRD-001/E003 names the epic, and nothing else with a slash names anything", () => {
    expect(parseId("PRD-001/E3", { kinds: ["epic"] })).toBe("E003");
    for (const text of ["../E003", "PRD-001/../E003", "/E003", "E003/", "PRD-001/E003/x"]) {
      expect(() => parseId(text, { kinds: ["epic"] })).toThrow(/is no epic id/);
    }
  });

  it("RU-03 whatever is accepted is letters and digits alone", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("T", "E", "S", "P", "R", "D", "-", "/", ".", "0", "1", "9", "\n", " ") }),
        (text) => {
          const id = normaliseId(text);
          if (id !== undefined) expect(id).toMatch(/^(?:PRD-|[ETS])\d{3,9}$/);
        },
      ),
    );
  });

  it("X-28 every id in a text is found in its one spelling", () => {
    expect(idsIn('log t42 "see T0043, prd-1/E2; not XT44 or T45a"')).toEqual(["T042", "T043", "PRD-001", "E002"]);
  });
});

describe("statuses", () => {
  it.each([
    ["wip", "In Progress"],
    ["todo", "Not Started"],
    ["stuck", "Blocked"],
    ["in-progress", "In Progress"],
    ["DONE", "Done"],
    ["canceled", "Cancelled"],
  ])("RU-06 %s is %s", (text, status) => {
    expect(readStatus("task", text)).toBe(status);
  });

  it("RU-06 each kind has its own statuses, and a wrong one is told which there are", () => {
    expect(readStatus("epic", "stuck")).toBeUndefined();
    expect(readStatus("prd", "draft")).toBe("Draft");
    expect(readStatus("task", "draft")).toBeUndefined();
    expect(() => parseStatus("task", "constructor")).toThrow(/"constructor" is no status of a task/);
    expect(() => parseStatus("epic", "Cancelled")).toThrow(/"Cancelled" is no status of an epic/);
  });
});
