// What the repository promises to people who clone it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const read = (file: string) => readFileSync(resolve(root, file), "utf8");

it("J-94 X-46 the scripts have the names that the specification gives them, and need nothing but Node", () => {
  const { scripts } = JSON.parse(read("package.json"));
  for (const name of ["start", "test", "build", "typecheck", "lint", "bench", "test:clients"]) {
    expect(scripts[name]).toMatch(/^node scripts\/[\w-]+\.mjs/);
  }
});

it("files named `npm run test:portable`, and there was no such script: all that they name are there", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const files = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "docs", "scripts", "test", "bench"];
  const found = execFileSync("git", ["grep", "-hoE", "`npm run [a-z:]+", "--", ...files], {
    cwd: root,
    encoding: "utf8",
  });
  const named = new Set(
    found
      .trim()
      .split("\n")
      .map((words) => words.slice("`npm run ".length)),
  );
  expect(named).toContain("test:portable");
  expect([...named].filter((name) => scripts[name] === undefined)).toEqual([]);
});

it("the scripts that run before the first install import nothing that is not Node's or theirs", () => {
  for (const file of [
    "setup",
    "start",
    "test",
    "test-clients",
    "tool",
    "bench",
    "bin/jeeves",
    "bin/rudder",
    "bin/run-built",
  ]) {
    const names = [...read(`scripts/${file}.mjs`).matchAll(/from "([^"]+)"/g)].map((found) => found[1] ?? "");
    expect(names.filter((name) => !name.startsWith("node:") && !name.startsWith("."))).toEqual([]);
  }
});

it("no lock file names a host to download from", () => {
  const locks = execFileSync("git", ["ls-files", "*package-lock.json"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  expect(locks).toContain("package-lock.json");
  for (const lock of locks) expect(read(lock)).not.toMatch(/"resolved": *"https?:/);
});

it("every dependency is pinned", () => {
  const manifests = execFileSync("git", ["ls-files", "*package.json"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  const loose = manifests.flatMap((file) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(file));
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(String(version)))
      .map(([name]) => `${file}: ${name}`);
  });
  expect(loose).toEqual([]);
});
