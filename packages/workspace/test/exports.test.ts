import { expect, it } from "vitest";
import * as exported from "../src/index.ts";

it("what others can import is exactly this", () => {
  expect(Object.keys(exported).sort()).toMatchInlineSnapshot(`
    [
      "WorkspaceError",
      "currentDir",
      "findProgram",
      "isInsideLexically",
      "killBackground",
      "openRoot",
      "readTextFile",
      "runCommand",
      "searchText",
    ]
  `);
});
