// Tools and configurations that no rule was written on: made before the rules, scored after them. Whoever changes a rule
// because of one of these moves it to projects-more.mjs and makes another.
import { POM } from "./projects-more.mjs";

const SIZE = 260;
const at = (place) => [4, SIZE >> 1, SIZE - 3][place];
const range = (n, of) => Array.from({ length: n }, (_, i) => of(i));
const node = process.execPath;
const three = (i) => String(i).padStart(3, "0");
const one = (place, n) => [1, n >> 1, n - 2][place];

export const ASIDE_PROJECTS = {
  "go-subtests": (place) => ({
    files: {
      "go.mod": "module example.com/deep\n\ngo 1.19\n",
      "deep_test.go": `package deep\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestTable(t *testing.T) {\n\tfor i := 0; i < ${SIZE}; i++ {\n\t\ti := i\n\t\tt.Run(fmt.Sprintf("error_%03d", i), func(t *testing.T) {\n\t\t\tt.Logf("checking %d", i)\n\t\t\tif i == ${at(place)} {\n\t\t\t\tt.Fatalf("balance of %d is off by %d", i, i+2)\n\t\t\t}\n\t\t})\n\t}\n}\n`,
    },
    command: ["go", "test", "-v", "."],
    must: [`--- FAIL: TestTable/error_${three(at(place))}`, `balance of ${at(place)} is off by ${at(place) + 2}`],
  }),
  "go-panic": (place) => ({
    files: {
      "go.mod": "module example.com/boom\n\ngo 1.19\n",
      "boom_test.go": `package boom\n\nimport "testing"\n\nfunc pick(xs []int, i int) int { return xs[i] }\n\n${range(SIZE, (i) => `func TestBoom${three(i)}(t *testing.T) { _ = pick([]int{1, 2, 3}, ${i === at(place) ? 7 : i % 3}) }`).join("\n")}\n`,
    },
    command: ["go", "test", "-v", "."],
    must: [`--- FAIL: TestBoom${three(at(place))}`, "index out of range [7] with length 3", "boom_test.go:5"],
  }),
  "go-vet": (place) => ({
    files: {
      "go.mod": "module example.com/vet\n\ngo 1.19\n",
      ...Object.fromEntries(
        range(10, (p) => [
          `q${p}/q.go`,
          `package q${p}\n\nimport "fmt"\n\nfunc Say() {\n${range(25, (i) => `\tfmt.Printf("%d\\n", ${p === one(place, 10) && i === 11 ? `"text${p}"` : i})`).join("\n")}\n}\n`,
        ]),
      ),
    },
    command: ["go", "vet", "-x", "./..."],
    must: [`Printf format %d has arg "text${one(place, 10)}" of wrong type string`],
  }),
  "jest-many": (place) => ({
    from: "tools",
    files: {
      "package.json": '{ "name": "many", "private": true }\n',
      ...Object.fromEntries(
        range(12, (k) => [
          `suite${three(k)}.test.js`,
          `${range(24, (i) => `test("keeps failure ${k}-${i}", () => { ${k === one(place, 12) && i === 9 ? `expect({ a: ${k}, b: [1, 2] }).toEqual({ a: ${k}, b: [1, 3] })` : "expect(1).toBe(1)"}; });`).join("\n")}\n`,
        ]),
      ),
    },
    command: ["jest", "--verbose", "--color"],
    must: [`keeps failure ${one(place, 12)}-9`, "+     2,", "1 failed"],
  }),
  "mocha-throws": (place) => ({
    from: "tools",
    files: {
      "lib.js": "module.exports = (i) => { throw new RangeError(`page ${i} is past the end`); };\n",
      "test/pages.js": `const open = require("../lib.js");\nfor (let i = 0; i < ${SIZE}; i++) describe(\`page \${i}\`, () => { it("opens without error", () => { if (i === ${at(place)}) open(i); }); });\n`,
    },
    command: ["mocha", "--reporter", "spec", "test"],
    must: [`RangeError: page ${at(place)} is past the end`, "1 failing", "lib.js:1"],
  }),
  "eslint-unix": (place) => ({
    from: "tools",
    files: {
      "eslint.config.mjs":
        'export default [{ files: ["*.js"], rules: { "no-unreachable": "error", "no-console": "warn", "eqeqeq": "warn" } }];\n',
      ...Object.fromEntries(
        range(50, (k) => [
          `m${three(k)}.js`,
          `function f() {\n  console.log(1 == 2);\n  console.log(2 == 3);\n  return 1;\n${k === one(place, 50) ? "  f();\n" : ""}}\nf();\n`,
        ]),
      ),
    },
    command: ["eslint", "--color", "."],
    must: [`m${three(one(place, 50))}.js`, "Unreachable code", "1 error"],
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
  "maven-error": (place) => ({
    files: {
      "pom.xml": POM(),
      ...Object.fromEntries(
        range(40, (k) => [
          `src/test/java/shop/Deep${three(k)}Test.java`,
          `package shop;\nimport org.junit.jupiter.api.Test;\nclass Deep${three(k)}Test {\n  static void dive(int n) { if (n == 0) throw new IllegalStateException("tank ${k} is empty"); dive(n - 1); }\n  @Test void dives() { ${k === one(place, 40) ? 'try { dive(5); } catch (IllegalStateException e) { throw new RuntimeException("dive failed", e); }' : 'for (int i = 0; i < 5; i++) System.out.println("depth " + i);'} }\n}\n`,
        ]),
      ),
    },
    command: ["mvn", "-o", "-B", "test"],
    must: [`Deep${three(one(place, 40))}Test.dives`, `tank ${one(place, 40)} is empty`, "BUILD FAILURE"],
  }),
  gpp: (place) => ({
    files: {
      "main.cpp": `#include <map>\n#include <string>\n#include <vector>\n${range(60, (i) => `static int unused_${i}(int a) { int b; return a; }\nint g${i}() { std::map<std::string, std::vector<int>> m; ${i === one(place, 60) ? `m["k"] = std::string("text${i}");` : `m["k"].push_back(${i});`} return m.size(); }`).join("\n")}\nint main() { return g1(); }\n`,
    },
    command: ["g++", "-Wall", "-Wextra", "-c", "main.cpp"],
    must: [`main.cpp:${5 + 2 * one(place, 60)}:`, "error: no match for ‘operator=’"],
  }),
  cmake: (place) => ({
    files: {
      "CMakeLists.txt": `cmake_minimum_required(VERSION 3.10)\nproject(many C)\n${range(60, (k) => `add_library(part${k} STATIC part${k}.c)`).join("\n")}\n`,
      ...Object.fromEntries(
        range(60, (k) => [
          `part${k}.c`,
          `int part${k}(void) { ${k === one(place, 60) ? `return missing_${k}();` : `return ${k};`} }\n`,
        ]),
      ),
    },
    command: [
      "sh",
      "-c",
      "cmake -S . -B build -DCMAKE_C_FLAGS='-Werror=implicit-function-declaration' && cmake --build build -- -k",
    ],
    must: [
      `implicit declaration of function ‘missing_${one(place, 60)}’`,
      `part${one(place, 60)}.dir/part${one(place, 60)}.c.o] Error 1`,
    ],
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
};
