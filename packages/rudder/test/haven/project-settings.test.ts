// A project's settings are looked at with every call of a server, and read when they have changed.
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readDigits } from "../../src/index.ts";

const LONG_AGO = new Date("2020-01-01T00:00:00Z");

it("RU-03 settings that were changed are read at once, also to as many characters, and also long after they were read", () => {
  const project = mkdtempSync(join(tmpdir(), "rudder-settings-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const path = join(project, ".sailing", "config.yaml");
  const write = (digits: number): void => writeFileSync(path, `ids: { task_digits: ${digits} }\n`);
  mkdirSync(join(project, ".sailing"));
  expect(readDigits(project).task).toBe(3);
  for (const digits of [4, 5, 6]) {
    write(digits);
    expect(readDigits(project).task).toBe(digits);
  }
  utimesSync(path, LONG_AGO, LONG_AGO);
  expect(readDigits(project).task).toBe(6);
  write(7);
  utimesSync(path, LONG_AGO, LONG_AGO);
  expect(statSync(path).mtimeMs).toBe(LONG_AGO.getTime());
  expect(readDigits(project).task).toBe(7);
  rmSync(path);
  expect(readDigits(project).task).toBe(3);
});
