// The words of these commands: help with examples, completion, and suggestions for what was mistyped.
import { expect, it } from "vitest";
import { projectForTest } from "../haven-under-test.ts";

const COMMANDS = ["plan", "board", "search", "archive", "export", "import"];

it("X-24 each has help with examples, and completion knows it with its options", async () => {
  const test = await projectForTest(1);
  const bash = (await test.run(["completion", "bash"])).text;
  for (const name of [...COMMANDS, "task remove", "epic remove", "prd remove"]) {
    const help = await test.run([...name.split(" "), "--help"]);
    expect(help, name).toMatchObject({ exitCode: 0, text: expect.stringContaining(`$ rudder ${name}`) });
    expect(bash, name).toContain(`"${name}`);
  }
  expect(bash).toMatch(/"archive "\*\) words="--older-than --apply --restore/);
});

it.each([
  [["bord"], "board"],
  [["serach", "x"], "search"],
  [["archive", "--older-then", "30d"], "--older-than"],
  [["import", "x", "--parital"], "--partial"],
  [["task", "remov", "T001"], "remove"],
])("X-24 %j is answered with the word that was meant", async (words, meant) => {
  const test = await projectForTest(1);
  const refused = await test.run(words);
  expect(refused).toMatchObject({ exitCode: 2, text: expect.stringContaining(`Did you mean ${meant}?`) });
});

it.each(COMMANDS)("X-24 %s without a haven says what to do", async (name) => {
  const test = await projectForTest(1);
  const words = { plan: ["-"], import: ["-"], search: ["x"], archive: ["E001"] }[name] ?? [];
  const bytes = Buffer.from(name === "plan" ? "# P\n" : '{"type":"rudder-export","version":1}\n');
  const refused = await test.run([name, ...words], {
    env: test.env({ RUDDER_HAVEN: `${test.dir}/none` }),
    readInputBytes: async () => bytes,
  });
  expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "no_haven" } } });
});
