// Small projects for real tools, each with failures planted at a place: 0 head, 1 middle, 2 tail. A project names its
// files, the command, and the texts that a reader of the output must find: the failing test's name and its reason.
const SIZE = 260;
const at = (place) => [4, SIZE >> 1, SIZE - 3][place];
const range = (n, of) => Array.from({ length: n }, (_, i) => of(i));
const node = process.execPath;

export const PROJECTS = {
  pytest: (place) => ({
    files: {
      "test_many.py": `import pytest\n${range(SIZE, (i) => `def test_error_case_${i}():\n    assert ${i === at(place) ? `sum([${i}, 1]) == ${i}` : "True"}\n`).join("\n")}`,
    },
    command: ["python3", "-m", "pytest", "-v", "-p", "no:cacheprovider"],
    must: [`test_error_case_${at(place)} FAILED`, `assert ${at(place) + 1} == ${at(place)}`, "1 failed"],
  }),
  "pytest-raise": (place) => ({
    files: {
      "lib.py": "def load(name):\n    raise KeyError('no such key: ' + name)\n",
      "test_many.py": `from lib import load\n${range(SIZE, (i) => `def test_loads_${i}():\n    ${i === at(place) || i === at(place) - 2 ? `load('k${i}')` : "pass"}\n`).join("\n")}`,
    },
    command: ["python3", "-m", "pytest", "-v", "-p", "no:cacheprovider"],
    must: [
      `test_loads_${at(place)} FAILED`,
      `test_loads_${at(place) - 2} FAILED`,
      `no such key: k${at(place)}`,
      `no such key: k${at(place) - 2}`,
    ],
  }),
  unittest: (place) => ({
    files: {
      "test_many.py": `import unittest\nclass Many(unittest.TestCase):\n${range(SIZE, (i) => `    def test_${String(i).padStart(3, "0")}(self):\n        self.assertEqual(${i}, ${i === at(place) ? i + 7 : i})\n`).join("\n")}`,
    },
    command: ["python3", "-m", "unittest", "-v"],
    must: [
      `FAIL: test_${String(at(place)).padStart(3, "0")}`,
      `AssertionError: ${at(place)} != ${at(place) + 7}`,
      "FAILED (failures=1)",
    ],
  }),
  "node-test": (place) => ({
    files: {
      "many.test.mjs": `import test from "node:test";\nimport assert from "node:assert";\n${range(SIZE, (i) => `test("handles error ${i}", () => { assert.strictEqual(${i === at(place) ? i + 9 : i}, ${i}); });`).join("\n")}\n`,
    },
    command: [node, "--test", "--test-reporter=spec", "many.test.mjs"],
    must: [`handles error ${at(place)}`, `${at(place) + 9} !== ${at(place)}`, "fail 1"],
  }),
  "node-tap": (place) => ({
    files: {
      "many.test.mjs": `import test from "node:test";\nimport assert from "node:assert";\n${range(SIZE, (i) => `test("case ${i}", () => { assert.ok(${i !== at(place)}, "value ${i} is off"); });`).join("\n")}\n`,
    },
    command: [node, "--test", "--test-reporter=tap", "many.test.mjs"],
    must: [`not ok ${at(place) + 1} - case ${at(place)}`, `value ${at(place)} is off`, "# fail 1"],
  }),
  node: (place) => ({
    files: {
      "main.mjs": `for (let i = 0; i < ${SIZE}; i++) {\n  console.log(\`\${new Date(1e12 + i * 1000).toISOString()} INFO job \${i} done in \${i % 7} ms\`);\n  if (i === ${at(place)}) try { JSON.parse("{oops"); } catch (error) { console.log(error.stack); }\n}\n`,
    },
    command: [node, "main.mjs"],
    must: ["SyntaxError", "at JSON.parse"],
  }),
  python: (place) => ({
    files: {
      "main.py": `import logging, sys\nlogging.basicConfig(stream=sys.stdout, level=logging.INFO, format='%(asctime)s %(levelname)s %(name)s %(message)s')\nlog = logging.getLogger('worker')\ndef pay(i):\n    raise ValueError(f'amount {i} is negative')\nfor i in range(${SIZE}):\n    log.info('job %d finished in %d ms', i, i % 13)\n    if i == ${at(place)}:\n        try:\n            pay(i)\n        except ValueError:\n            log.exception('job %d broke', i)\n`,
    },
    command: ["python3", "main.py"],
    must: [`ERROR worker job ${at(place)} broke`, `ValueError: amount ${at(place)} is negative`, "in pay"],
  }),
  "json-lines": (place) => ({
    files: {
      "main.mjs": `for (let i = 0; i < ${SIZE}; i++) console.log(JSON.stringify(i === ${at(place)} ? { time: 1e12 + i, level: "error", msg: "checkout refused", err: { code: "E_STOCK_" + i } } : { time: 1e12 + i, level: "info", msg: "request served", path: "/items/" + i, ms: i % 9, error: null }));\n`,
    },
    command: [node, "main.mjs"],
    must: [`"err":{"code":"E_STOCK_${at(place)}"}`],
  }),
  gcc: (place) => ({
    files: {
      "main.c": `#include <stdio.h>\n${range(SIZE, (i) => `int f${i}(int x) { ${i % 3 === 0 ? `int unused${i};` : ""} return x + ${i === at(place) ? `missing_${i}` : i}; }`).join("\n")}\nint main(void) { return f1(2); }\n`,
    },
    command: ["gcc", "-Wall", "-c", "main.c"],
    must: [`error: ‘missing_${at(place)}’ undeclared`],
  }),
  make: (place) => ({
    files: {
      Makefile: `all: ${range(SIZE, (i) => `t${i}`).join(" ")}\n${range(SIZE, (i) => `t${i}:\n\t@echo "  CC   src/file_${i}.o"${i === at(place) ? `\n\t@echo "linking failed: symbol s${i} not found" >&2; exit 3` : ""}`).join("\n")}\n`,
    },
    command: ["make", "-k"],
    must: [`linking failed: symbol s${at(place)} not found`, `t${at(place)}] Error 3`],
  }),
  javac: (place) => ({
    files: {
      "Main.java": `class Main {\n${range(SIZE, (i) => `  int f${i}(java.util.List raw) { raw.add(${i}); return ${i === at(place) ? `"text${i}"` : i}; }`).join("\n")}\n}\n`,
    },
    command: ["javac", "-Xlint:all", "-Xmaxwarns", "400", "-d", "out", "Main.java"],
    must: [`Main.java:${at(place) + 2}: error: incompatible types: String cannot be converted to int`, "1 error"],
  }),
  java: (place) => ({
    files: {
      "Main.java": `public class Main {\n  static void deep(int n, int i) { if (n == 0) throw new IllegalStateException("order " + i + " is closed"); deep(n - 1, i); }\n  public static void main(String[] a) {\n    for (int i = 0; i < ${SIZE}; i++) {\n      System.out.println("12:00:" + (i % 60) + " INFO  orders - order " + i + " shipped");\n      if (i == ${at(place)}) try { deep(30, i); } catch (IllegalStateException e) { e.printStackTrace(System.out); }\n    }\n  }\n}\n`,
    },
    command: ["java", "Main.java"],
    must: [`java.lang.IllegalStateException: order ${at(place)} is closed`, "at Main.deep(Main.java:2)"],
  }),
  "cargo-test": (place) => ({
    files: {
      "Cargo.toml": '[package]\nname = "many"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": `#[cfg(test)]\nmod tests {\n${range(SIZE, (i) => `    #[test]\n    fn fails_never_${String(i).padStart(3, "0")}() { assert_eq!(${i === at(place) ? i + 5 : i}, ${i}); }`).join("\n")}\n}\n`,
    },
    command: ["cargo", "test", "--offline", "--", "--test-threads=1"],
    must: [
      `test tests::fails_never_${String(at(place)).padStart(3, "0")} ... FAILED`,
      `left: ${at(place) + 5}`,
      `right: ${at(place)}`,
      "test result: FAILED",
    ],
  }),
  "cargo-build": (place) => ({
    files: {
      "Cargo.toml": '[package]\nname = "many"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": `${range(60, (i) => `fn unused_${i}(x: i32) -> i32 { ${i === [2, 30, 58][place] ? `"text ${i}"` : "x"} }`).join("\n")}\n`,
    },
    command: ["cargo", "check", "--offline"],
    must: ["error[E0308]: mismatched types", `src/lib.rs:${[2, 30, 58][place] + 1}:`, "could not compile"],
  }),
  tsc: (place) => ({
    tool: "tsc",
    files: {
      "main.ts": `${range(SIZE, (i) => (i % 40 === at(place) % 40 ? `export const n${i}: number = "text ${i}";` : `export const n${i}: number = ${i};`)).join("\n")}\n`,
    },
    must: range(SIZE, (i) => i)
      .filter((i) => i % 40 === at(place) % 40)
      .map((i) => `main.ts(${i + 1},14): error TS2322`),
  }),
  vitest: (place) => ({
    tool: "vitest",
    files: {
      "vitest.config.mjs": "export default { test: { include: ['*.test.ts'] } };\n",
      "many.test.ts": `import { expect, it } from "vitest";\n${range(SIZE, (i) => `it("rejects error ${i}", () => { expect(${i === at(place) ? i + 3 : i}).toBe(${i}); });`).join("\n")}\n`,
    },
    must: [`rejects error ${at(place)}`, `expected ${at(place) + 3} to be ${at(place)}`, "1 failed"],
  }),
};
