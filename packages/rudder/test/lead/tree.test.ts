// `rudder deps tree` with a depth.
import { expect, it } from "vitest";
import { projectForTest, taskPath, taskText } from "../haven-under-test.ts";

it("RU-16 a task that the depth has cut off is drawn in full where it comes again with room below it", async () => {
  const test = await projectForTest(4);
  test.write(taskPath(1), taskText(1, { blocked_by: "[T002, T003]" }));
  test.write(taskPath(2), taskText(2, { blocked_by: "[T003]" }));
  test.write(taskPath(3), taskText(3, { blocked_by: "[T004]" }));
  const { text } = await test.run(["deps", "tree", "T001", "--depth", "3"]);
  expect(text.split("\n")).toEqual([
    "T001 [Not Started] Task 1",
    "├─ T002 [Not Started] Task 2",
    "│  └─ T003 [Not Started] Task 3",
    "└─ T003 [Not Started] Task 3",
    "   └─ T004 [Not Started] Task 4",
    "",
  ]);
  const whole = await test.run(["deps", "tree", "T001"]);
  expect(whole.text).toContain("└─ T003 [Not Started] Task 3  (see above)\n");
});
