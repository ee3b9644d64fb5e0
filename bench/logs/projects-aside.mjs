// Tools and configurations that no rule was written on: made before the rules, scored after them. If a rule is changed
// because of one of these, that one moves to projects-more.mjs and a new one takes its place.
import { POM } from "./projects-more.mjs";

const SIZE = 260;
const at = (place) => [4, SIZE >> 1, SIZE - 3][place];
const range = (n, of) => Array.from({ length: n }, (_, i) => of(i));
const node = process.execPath;
const three = (i) => String(i).padStart(3, "0");
const one = (place, n) => [1, n >> 1, n - 2][place];

export const ASIDE_PROJECTS = {
  "go-panic": (place) => ({
    files: {
      "go.mod": "module example.com/boom\n\ngo 1.19\n",
      "boom_test.go": `package boom\n\nimport "testing"\n\nfunc pick(xs []int, i int) int { return xs[i] }\n\n${range(SIZE, (i) => `func TestBoom${three(i)}(t *testing.T) { _ = pick([]int{1, 2, 3}, ${i === at(place) ? 7 : i % 3}) }`).join("\n")}\n`,
    },
    command: ["go", "test", "-v", "."],
    must: [`--- FAIL: TestBoom${three(at(place))}`, "index out of range [7] with length 3", "boom_test.go:5"],
  }),
  "mocha-throws": (place) => ({
    from: "tools",
    files: {
      "lib.js": `module.exports = (i) => { throw new RangeError(\`page \${i} is past the end\`); };\n`,
      "test/pages.js": `const open = require("../lib.js");\nfor (let i = 0; i < ${SIZE}; i++) describe(\`page \${i}\`, () => { it("opens without error", () => { if (i === ${at(place)}) open(i); }); });\n`,
    },
    command: ["mocha", "--reporter", "spec", "test"],
    must: [`RangeError: page ${at(place)} is past the end`, "1 failing", "lib.js:1"],
  }),
  "maven-compile": (place) => ({
    files: {
      "pom.xml": POM(
        "<configuration><showWarnings>true</showWarnings><compilerArgs><arg>-Xlint:all</arg><arg>-Xmaxwarns</arg><arg>500</arg></compilerArgs></configuration>",
      ),
      ...Object.fromEntries(
        range(80, (k) => [
          `src/main/java/shop/Part${three(k)}.java`,
          `package shop;\nimport java.util.*;\nclass Part${three(k)} {\n  List raw() { List list = new ArrayList(); list.add(${k}); return list; }\n  int size() { return ${k === one(place, 80) ? `unknownSize${k}` : k}; }\n}\n`,
        ]),
      ),
    },
    command: ["mvn", "-o", "-B", "compile"],
    must: [
      `Part${three(one(place, 80))}.java:[5,`,
      "cannot find symbol",
      `variable unknownSize${one(place, 80)}`,
      "BUILD FAILURE",
    ],
  }),
  gpp: (place) => ({
    files: {
      "main.cpp": `#include <map>\n#include <string>\n#include <vector>\n${range(60, (i) => `static int unused_${i}(int a) { int b; return a; }\nint g${i}() { std::map<std::string, std::vector<int>> m; ${i === one(place, 60) ? `m["k"] = std::string("text${i}");` : `m["k"].push_back(${i});`} return m.size(); }`).join("\n")}\nint main() { return g1(); }\n`,
    },
    command: ["g++", "-Wall", "-Wextra", "-c", "main.cpp"],
    must: [`main.cpp:${5 + 2 * one(place, 60)}:`, "error: no match for ‘operator=’"],
  }),
  "npm-ci": (place) => ({
    files: {
      "package.json": `{ "name": "many", "private": true, "scripts": { "lint": "node chatter.js", "test": "node test.js", "ci": "npm run lint && npm test" } }\n`,
      "chatter.js": `for (let i = 0; i < ${[20, 150, 280][place]}; i++) console.log(\`src/a\${i}.js: 0 errors, 0 warnings\`);\n`,
      "test.js": `console.log("running"); const e = new Error("ECONNREFUSED 127.0.0.1:54${place}2"); console.error(e.stack); for (let i = 0; i < ${[280, 150, 20][place]}; i++) console.log(\`closing handle \${i}\`); process.exit(7);\n`,
    },
    command: ["npm", "run", "ci"],
    must: [`ECONNREFUSED 127.0.0.1:54${place}2`, "exit code: 7"],
  }),
  "pytest-logs": (place) => ({
    files: {
      "test_flow.py": `import logging, pytest\nlog = logging.getLogger("flow")\n@pytest.mark.parametrize("i", range(${SIZE}))\ndef test_flow(i):\n    for k in range(3):\n        log.warning("attempt %d of %d", k, i)\n    assert {"id": i, "state": "open"} == {"id": i, "state": "${"open"}" if i != ${at(place)} else "closed"}\n`,
    },
    command: ["python3", "-m", "pytest", "-vv", "--color=yes", "-p", "no:cacheprovider"],
    must: [`test_flow[${at(place)}]`, "'state': 'closed'", "1 failed"],
  }),
  "python-chain": (place) => ({
    files: {
      "main.py": `import sys, traceback\ndef parse(s):\n    return int(s)\ndef load(i):\n    try:\n        return parse('x%d' % i)\n    except ValueError as e:\n        raise RuntimeError('row %d unreadable' % i) from e\nfor i in range(${SIZE}):\n    print('[%04d] row %d stored in shard %d' % (i, i, i % 5))\n    if i == ${at(place)}:\n        try:\n            load(i)\n        except RuntimeError:\n            traceback.print_exc(file=sys.stdout)\n`,
    },
    command: ["python3", "main.py"],
    must: [`invalid literal for int() with base 10: 'x${at(place)}'`, `RuntimeError: row ${at(place)} unreadable`],
  }),
  "java-cause": (place) => ({
    files: {
      "Main.java": `public class Main {\n  static void read(int i) { throw new java.io.UncheckedIOException("volume " + i, new java.io.IOException("disk " + i + " offline")); }\n  public static void main(String[] a) {\n    for (int i = 0; i < ${SIZE}; i++) {\n      System.out.println("2024-05-01 12:00:" + (i % 60) + " DEBUG volumes - scanned " + i);\n      if (i == ${at(place)}) try { read(i); } catch (RuntimeException e) { e.printStackTrace(System.out); }\n    }\n  }\n}\n`,
    },
    command: ["java", "Main.java"],
    must: [`Caused by: java.io.IOException: disk ${at(place)} offline`, `UncheckedIOException: volume ${at(place)}`],
  }),
  "node-json": (place) => ({
    files: {
      "main.mjs": `for (let i = 0; i < ${SIZE}; i++) console.log(JSON.stringify(i === ${at(place)} ? { ts: i, severity: "CRITICAL", message: "ledger out of balance", detail: { account: "A" + i, off: -3 } } : { ts: i, severity: "INFO", message: "posted", errors: [], retries: 0, account: "A" + i }));\n`,
    },
    command: [node, "main.mjs"],
    must: [`"account":"A${at(place)}","off":-3`],
  }),
  "cargo-panic": (place) => ({
    files: {
      "Cargo.toml": '[package]\nname = "panics"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": `pub fn half(x: u32) -> u32 { if x == 999 { panic!("x must not be {}", x) } x / 2 }\n#[cfg(test)]\nmod error_tests {\n    use super::*;\n${range(SIZE, (i) => `    #[test]\n    fn error_${three(i)}() { assert_eq!(half(${i === at(place) ? 999 : 2 * i}), ${i}); }`).join("\n")}\n}\n`,
    },
    command: ["cargo", "test", "--offline", "--color", "always", "--", "--test-threads=2"],
    env: { RUST_BACKTRACE: "1" },
    must: [`error_tests::error_${three(at(place))}`, "x must not be 999", "1 failed"],
  }),
  "cargo-warnings": (place) => ({
    files: {
      "Cargo.toml": '[package]\nname = "warns"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/main.rs": `${range(60, (i) => `fn idle_${i}() { let x = ${i}; }`).join("\n")}\nfn main() {\n${range(20, (i) => `    let v${i}: Vec<u8> = ${i === one(place, 20) ? `String::from("t${i}")` : "Vec::new()"};`).join("\n")}\n}\n`,
    },
    command: ["cargo", "build", "--offline"],
    must: ["error[E0308]: mismatched types", `src/main.rs:${62 + one(place, 20)}:`, "could not compile"],
  }),
  "node-progress": (place) => ({
    files: {
      "main.mjs": `for (let f = 0; f < 40; f++) {\n  for (let p = 0; p <= 100; p += 10) process.stdout.write(\`\\r\\u001b[2K⠋ transforming (\${p}) modules-\${f}...\`);\n  process.stdout.write("\\r\\u001b[2K✓ chunk " + f + "\\n");\n  for (let k = 0; k < 6; k++) console.log(\`dist/assets/chunk-\${f}-\${k}.js   \${k}.2 kB │ gzip: 1.\${k} kB\`);\n  if (f === ${one(place, 40)}) console.log("\\u001b[31m✗ Build failed in 1.2s\\u001b[39m\\n[vite]: Rollup failed to resolve import \\"lodash-" + f + "\\"");\n}\n`,
    },
    command: [node, "main.mjs"],
    must: [`Rollup failed to resolve import "lodash-${one(place, 40)}"`, "Build failed"],
  }),
  "ls-r": (place) => ({
    files: {
      "main.py": `for d in range(40):\n    print(f'./pkg{d}:')\n    print('total 48')\n    for f in range(6):\n        print(f'-rw-r--r-- 1 root root {f * 37 + d:6d} May  1 12:0{f} file{f}.go')\n    if d == ${one(place, 40)}:\n        print(f"ls: cannot open directory './pkg{d}/private': Permission denied")\n    print()\n`,
    },
    command: ["python3", "main.py"],
    must: [`cannot open directory './pkg${one(place, 40)}/private'`],
  }),
  "buildah-apk": (place) => ({
    copies: { busybox: "/bin/busybox" },
    files: {
      Containerfile: `FROM scratch\nCOPY busybox /bin/busybox\n${range(10, (k) => `RUN ["/bin/busybox", "sh", "-c", "for i in $(/bin/busybox seq 1 24); do echo \\"($i/24) Installing lib-${k}-$i (1.$i.0-r0)\\"; done${k === [0, 5, 9][place] ? `; echo 'ERROR: unable to select packages:'; echo '  ghost-${k} (no such package):'; exit 1` : ""}"]`).join("\n")}\n`,
    },
    command: [
      "buildah",
      "--storage-driver",
      "vfs",
      "--root",
      ".storage",
      "--runroot",
      ".run",
      "bud",
      "--isolation",
      "chroot",
      ".",
    ],
    must: [`ghost-${[0, 5, 9][place]} (no such package)`, "ERROR: unable to select packages"],
  }),
  ctest: (place) => ({
    files: {
      "CMakeLists.txt": `cmake_minimum_required(VERSION 3.10)\nproject(checks NONE)\nenable_testing()\n${range(110, (k) => `add_test(NAME error_path_${three(k)} COMMAND sh -c "${k === one(place, 110) ? `echo pump ${k} pressure 12 exceeds 9; exit 1` : `echo pump ${k} fine`}")`).join("\n")}\n`,
    },
    command: ["sh", "-c", "cmake -S . -B build > /dev/null && ctest --test-dir build --output-on-failure"],
    must: [
      `pump ${one(place, 110)} pressure 12 exceeds 9`,
      `error_path_${three(one(place, 110))}`,
      "1 tests failed out of 110",
    ],
  }),
  rspec: (place) => ({
    files: {
      "spec/many_spec.rb": `RSpec.describe "orders" do\n${range(SIZE, (i) => `  it("refunds failed order ${i}") { expect(${i === at(place) ? i + 2 : i}).to eq(${i}) }`).join("\n")}\nend\n`,
    },
    command: ["rspec", "--format", "documentation", "--no-color"],
    must: [`refunds failed order ${at(place)} (FAILED - 1)`, `got: ${at(place) + 2}`, "260 examples, 1 failure"],
  }),
  ninja: (place) => ({
    files: {
      "build.ninja": `rule cc\n  command = gcc -Wall -c $in -o $out\n${range(210, (k) => `build o${k}.o: cc s${k}.c`).join("\n")}\n`,
      ...Object.fromEntries(
        range(210, (k) => [`s${k}.c`, `int s${k}(int a) { return a ${k === one(place, 210) ? "+ ;" : `+ ${k};`} }\n`]),
      ),
    },
    command: ["ninja", "-v", "-k", "0"],
    must: [`s${one(place, 210)}.c:1:`, "error: expected expression before ‘;’ token", "ninja: build stopped"],
  }),
  "pytest-setup": (place) => ({
    files: {
      "conftest.py": `import pytest\n@pytest.fixture\ndef store(request):\n    if request.param == ${at(place)}:\n        raise ConnectionError('store %d refused the password' % request.param)\n    return {}\n`,
      "test_store.py": `import pytest\n@pytest.mark.parametrize('store', range(${SIZE}), indirect=True)\ndef test_error_free(store):\n    assert store == {}\n`,
    },
    command: ["python3", "-m", "pytest", "-v", "--tb=long", "-p", "no:cacheprovider"],
    must: [
      `test_error_free[${at(place)}] ERROR`,
      `ConnectionError: store ${at(place)} refused the password`,
      "1 error",
    ],
  }),
  "unittest-sub": (place) => ({
    files: {
      "test_sub.py": `import unittest\nclass Sub(unittest.TestCase):\n    def test_all(self):\n        for i in range(${SIZE}):\n            print('visiting node', i)\n            with self.subTest(node=i):\n                self.assertIn(i, {} if i == ${at(place)} else {i: 1})\n`,
    },
    command: ["python3", "-m", "unittest", "-v"],
    must: [`(node=${at(place)})`, `AssertionError: ${at(place)} not found in {}`, "FAILED (failures=1)"],
  }),
  "vitest-default": (place) => ({
    tool: "vitestDefault",
    files: {
      "vitest.config.mjs": "export default { test: { include: ['*.test.ts'] } };\n",
      ...Object.fromEntries(
        range(6, (k) => [
          `s${k}.test.ts`,
          `import { expect, it } from "vitest";\n${range(45, (i) => `it("reads error page ${k}-${i}", () => { console.log("page ${k}-${i}"); expect({ id: ${i} }).toEqual({ id: ${k === [0, 3, 5][place] && i === 20 ? 777 : i} }); });`).join("\n")}\n`,
        ]),
      ),
    },
    must: [`reads error page ${[0, 3, 5][place]}-20`, "777", "1 failed"],
  }),
  "go-json": (place) => ({
    files: {
      "go.mod": "module example.com/js\n\ngo 1.19\n",
      "js_test.go": `package js\n\nimport "testing"\n\n${range(90, (i) => `func TestError${three(i)}(t *testing.T) { if ${i === one(place, 90)} { t.Error("ledger ${i} lost a cent") } }`).join("\n")}\n`,
    },
    command: ["go", "test", "-json", "."],
    must: [
      `ledger ${one(place, 90)} lost a cent`,
      `"Action":"fail","Package":"example.com/js","Test":"TestError${three(one(place, 90))}"`,
    ],
  }),
  "bash-trace": (place) => ({
    files: {
      "run.sh": `set -x\n${range(SIZE, (i) => (i === at(place) ? `deploy_unit_${i} --force` : `echo "unit ${i} is up"`)).join("\n")}\n`,
    },
    command: ["bash", "run.sh"],
    must: [`deploy_unit_${at(place)}: command not found`],
  }),
  phpunit: (place) => ({
    files: {
      "ManyTest.php": `<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class ManyTest extends TestCase {\n${range(SIZE, (i) => `  public function testHandlesError${i}(): void { $this->assertSame(${i}, ${i === at(place) ? i + 8 : i}); }`).join("\n")}\n}\n`,
    },
    command: ["phpunit", "--testdox", "ManyTest.php"],
    must: [
      `Handles error ${at(place)}`,
      `Failed asserting that ${at(place) + 8} is identical to ${at(place)}`,
      "Failures: 1",
    ],
  }),
  minitest: (place) => ({
    files: {
      "many_test.rb": `require "minitest/autorun"\nclass Many < Minitest::Test\n  i_suck_and_my_tests_are_order_dependent!\n${range(SIZE, (i) => `  def test_error_${three(i)}; assert_equal ${i}, ${i === at(place) ? i + 11 : i}; end`).join("\n")}\nend\n`,
    },
    command: ["ruby", "many_test.rb", "-v"],
    must: [`Many#test_error_${three(at(place))}`, `Actual: ${at(place) + 11}`, "1 failures"],
  }),
  bats: (place) => ({
    files: {
      "many.bats": `${range(SIZE, (i) => `@test "keeps error ${i} away" {\n  [ ${i === at(place) ? i + 1 : i} -eq ${i} ]\n}`).join("\n")}\n`,
    },
    command: ["bats", "--tap", "many.bats"],
    must: [`not ok ${at(place) + 1} keeps error ${at(place)} away`, `[ ${at(place) + 1} -eq ${at(place)} ]' failed`],
  }),
  "tsc-build": (place) => ({
    tool: "tscPretty",
    files: {
      "tsconfig.json": '{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["*.ts"] }\n',
      ...Object.fromEntries(
        range(60, (k) => [
          `part${three(k)}.ts`,
          `export function part${k}(value: string): number {\n  return ${k === one(place, 60) ? "value" : "value.length"};\n}\n`,
        ]),
      ),
    },
    must: [`part${three(one(place, 60))}.ts`, "Type 'string' is not assignable to type 'number'"],
  }),
  "make-recursive": (place) => ({
    files: {
      Makefile: `SUBS := ${range(40, (k) => `sub${three(k)}`).join(" ")}\nall: $(SUBS)\n.PHONY: $(SUBS)\n$(SUBS):\n\t$(MAKE) -C $@\n`,
      ...Object.fromEntries(
        range(40, (k) => [
          `sub${three(k)}/Makefile`,
          `all:\n\t@echo generating headers of sub${three(k)}\n\t@echo compiling unit a of sub${three(k)}\n\t@echo compiling unit b of sub${three(k)}\n${k === one(place, 40) ? `\t@echo "ld: undefined symbol: turbo_${k}"; false\n` : ""}`,
        ]),
      ),
    },
    command: ["make", "-k"],
    must: [`undefined symbol: turbo_${one(place, 40)}`, "not remade because of errors"],
  }),
  sqlite: (place) => ({
    files: {
      "load.sql": `.echo on\ncreate table t(a integer primary key, b text not null);\n${range(SIZE, (i) => `insert into t values(${i === at(place) ? 0 : i}, 'row ${i}');`).join("\n")}\nselect count(*) from t;\n`,
    },
    command: ["sh", "-c", "sqlite3 db.sqlite < load.sql"],
    must: ["UNIQUE constraint failed: t.a", `insert into t values(0, 'row ${at(place)}')`],
  }),
  tar: (place) => ({
    files: Object.fromEntries(range(SIZE, (k) => [`d/file-${three(k)}.txt`, `text ${k}\n`])),
    command: [
      "sh",
      "-c",
      `tar -cvf out.tar $(ls d | head -n ${at(place)} | sed 's#^#d/#') d/lost-${at(place)}.txt $(ls d | tail -n +${at(place) + 1} | sed 's#^#d/#')`,
    ],
    must: [
      `d/lost-${at(place)}.txt: Cannot stat: No such file or directory`,
      "Exiting with failure status due to previous errors",
    ],
  }),
  shellcheck: (place) => ({
    files: {
      "run.sh": `#!/bin/sh\n${range(40, (k) => (k === one(place, 40) ? `if [ $a = b${k} ]; then echo x; done` : `echo $var${k}`)).join("\n")}\n`,
    },
    command: ["shellcheck", "run.sh"],
    must: ["(error)", `line ${one(place, 40) + 2}:`],
  }),
  "python-warn": (place) => ({
    files: {
      "main.py": `import logging, sys\nlogging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format='%(levelname)-8s %(name)s: %(message)s')\nlog = logging.getLogger('sync')\nfor i in range(${SIZE}):\n    log.debug('compared record %d with its copy, no failures', i)\n    if i % 50 == 9: log.warning('slow disk, %d ms', i)\n    if i == ${at(place)}: log.critical('copy of record %d diverged at byte %d', i, i * 3)\n`,
    },
    command: ["python3", "main.py"],
    must: [`copy of record ${at(place)} diverged at byte ${at(place) * 3}`],
  }),
};
