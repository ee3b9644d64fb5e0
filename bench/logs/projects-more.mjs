// More projects in the form of projects.mjs: Go, jest, mocha, eslint, Maven, npm, container builds, and a chatty linker.
// Rules may be looked at on these; projects-aside.mjs holds those that they are measured on.
const SIZE = 260;
const at = (place) => [4, SIZE >> 1, SIZE - 3][place];
const range = (n, of) => Array.from({ length: n }, (_, i) => of(i));
const node = process.execPath;
const one = (place, n) => [1, n >> 1, n - 2][place];
const three = (i) => String(i).padStart(3, "0");

export const POM = (plugins = "") =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version>${plugins}</plugin><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>
`;

export const MORE_PROJECTS = {
  "go-test": (place) => ({
    files: {
      "go.mod": "module example.com/many\n\ngo 1.19\n",
      "many_test.go": `package many\n\nimport "testing"\n\n${range(SIZE, (i) => `func TestCase${three(i)}(t *testing.T) {\n\tgot := ${i === at(place) ? i + 4 : i}\n\tif got != ${i} {\n\t\tt.Errorf("case %d: got %d, want %d", ${i}, got, ${i})\n\t}\n}\n`).join("\n")}`,
    },
    command: ["go", "test", "-v", "./..."],
    must: [
      `--- FAIL: TestCase${three(at(place))}`,
      `case ${at(place)}: got ${at(place) + 4}, want ${at(place)}`,
      "FAIL\texample.com/many",
    ],
  }),
  "go-build": (place) => ({
    files: {
      "go.mod": "module example.com/many\n\ngo 1.19\n",
      ...Object.fromEntries(
        range(12, (p) => [
          `p${p}/p.go`,
          `package p${p}\n\n${range(20, (i) => `func F${i}(x int) int { return x + ${p === [0, 6, 11][place] && i % 5 === 2 ? `missing${p}x${i}` : i} }`).join("\n")}\n`,
        ]),
      ),
    },
    command: ["go", "build", "-v", "./..."],
    must: range(20, (i) => i)
      .filter((i) => i % 5 === 2)
      .map((i) => `undefined: missing${[0, 6, 11][place]}x${i}`),
  }),
  jest: (place) => ({
    from: "tools",
    files: {
      "package.json": '{ "name": "many", "private": true }\n',
      "many.test.js": `describe("orders", () => {\n${range(SIZE, (i) => `  test("total of error ${i}", () => { expect(${i === at(place) ? i + 3 : i}).toBe(${i}); });`).join("\n")}\n});\n`,
    },
    command: ["jest", "--verbose"],
    must: [`● orders › total of error ${at(place)}`, `Received: ${at(place) + 3}`, "1 failed"],
  }),
  mocha: (place) => ({
    from: "tools",
    files: {
      "test/many.js": `const assert = require("node:assert");\ndescribe("orders", () => {\n${range(SIZE, (i) => `  it("rejects failed payment ${i}", () => { assert.strictEqual(${i === at(place) ? i + 3 : i}, ${i}); });`).join("\n")}\n});\n`,
    },
    command: ["mocha", "test"],
    must: [`1) orders\n       rejects failed payment ${at(place)}`, "1 failing", `${at(place) + 3} !== ${at(place)}`],
  }),
  eslint: (place) => ({
    from: "tools",
    files: {
      "eslint.config.mjs":
        'export default [{ files: ["*.js"], rules: { "no-undef": "error", "no-unused-vars": "warn", "no-var": "warn" } }];\n',
      ...Object.fromEntries(
        range(40, (k) => [
          `f${three(k)}.js`,
          `${range(6, (i) => `var v${i} = ${i};`).join("\n")}\n${k === [1, 20, 38][place] ? `launchRocket${k}();\n` : ""}`,
        ]),
      ),
    },
    command: ["eslint", "."],
    must: [`'launchRocket${[1, 20, 38][place]}' is not defined`, "1 error"],
  }),
  "maven-test": (place) => ({
    files: {
      "pom.xml": POM(),
      ...Object.fromEntries(
        range(60, (k) => [
          `src/test/java/shop/Case${three(k)}Test.java`,
          `package shop;\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\nclass Case${three(k)}Test {\n  @Test void totals() { assertEquals(${k}, ${k === [2, 30, 58][place] ? k + 5 : k}); }\n  @Test void names() { System.out.println("checked error handling of ${k}"); }\n}\n`,
        ]),
      ),
    },
    command: ["mvn", "-o", "-B", "test"],
    must: [
      `Case${three([2, 30, 58][place])}Test.totals`,
      `expected: <${[2, 30, 58][place]}> but was: <${[2, 30, 58][place] + 5}>`,
      "BUILD FAILURE",
    ],
  }),
  "npm-run": (place) => ({
    files: {
      "package.json":
        '{ "name": "many", "private": true, "scripts": { "prebuild": "node step.js", "build": "node build.js" } }\n',
      "step.js": `for (let i = 0; i < 60; i++) console.log(\`prepared asset \${i} (\${i % 9} kB)\`);\n`,
      "build.js": `for (let i = 0; i < ${SIZE}; i++) {\n  console.log(\`bundled module src/module-\${i}.js (\${i % 17} kB)\`);\n  if (i === ${at(place)}) console.error(\`✘ [ERROR] Could not resolve "left-pad-\${i}"\\n\\n    src/module-\${i}.js:3:21:\\n      3 │ import pad from "left-pad-\${i}"\\n\`);\n}\nprocess.exit(1);\n`,
    },
    command: ["npm", "run", "build"],
    must: [`Could not resolve "left-pad-${at(place)}"`, `src/module-${at(place)}.js:3:21:`],
  }),
  buildah: (place) => ({
    copies: { busybox: "/bin/busybox" },
    files: {
      Dockerfile: `FROM scratch\nCOPY busybox /bin/busybox\n${range(14, (k) => `RUN ["/bin/busybox", "sh", "-c", "i=0; while [ $i -lt 18 ]; do echo step ${k} unpacked layer file $i; i=$((i+1)); done${k === [1, 7, 13][place] ? `; echo cc1: out of memory allocating ${k}65536 bytes; exit 4` : ""}"]`).join("\n")}\n`,
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
    must: [`out of memory allocating ${[1, 7, 13][place]}65536 bytes`, "exit status 4"],
  }),
  progress: (place) => ({
    files: {
      "main.py": `import sys\nfor f in range(30):\n    for p in range(0, 101, 5):\n        sys.stdout.write(f'\\r\\x1b[32mfetching part-{f}.bin\\x1b[0m {"#" * (p // 5):20} {p}%')\n    sys.stdout.write('\\n')\n    for k in range(8):\n        print(f'  \\x1b[2mchecked block {k} of part-{f}.bin\\x1b[0m')\n    if f == ${[1, 15, 28][place]}:\n        print(f'\\x1b[31mchecksum mismatch\\x1b[0m in part-{f}.bin: expected 9f{f}, got 7a{f} \\x1b[1m(download failed)\\x1b[0m')\n`,
    },
    command: ["python3", "main.py"],
    must: [`in part-${[1, 15, 28][place]}.bin: expected 9f${[1, 15, 28][place]}`],
  }),
  tree: (place) => ({
    files: {
      "main.mjs": `const out = ["."];\nfor (let d = 0; d < 30; d++) {\n  out.push(\`├── pkg-\${d}\`);\n  for (let f = 0; f < 10; f++) out.push(\`│   \${f === 9 ? "└" : "├"}── file-\${f}.ts\`);\n  if (d === ${[1, 15, 28][place]}) out.push(\`│   └── cache-\${d}  [error opening dir: Permission denied]\`);\n}\nout.push("", "30 directories, 300 files");\nconsole.log(out.join("\\n"));\n`,
    },
    command: [node, "main.mjs"],
    must: [`cache-${[1, 15, 28][place]}  [error opening dir: Permission denied]`, "30 directories, 300 files"],
  }),
  "go-subtests": (place) => ({
    files: {
      "go.mod": "module example.com/deep\n\ngo 1.19\n",
      "deep_test.go": `package deep\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestTable(t *testing.T) {\n\tfor i := 0; i < ${SIZE}; i++ {\n\t\ti := i\n\t\tt.Run(fmt.Sprintf("error_%03d", i), func(t *testing.T) {\n\t\t\tt.Logf("checking %d", i)\n\t\t\tif i == ${at(place)} {\n\t\t\t\tt.Fatalf("balance of %d is off by %d", i, i+2)\n\t\t\t}\n\t\t})\n\t}\n}\n`,
    },
    command: ["go", "test", "-v", "."],
    must: [`--- FAIL: TestTable/error_${three(at(place))}`, `balance of ${at(place)} is off by ${at(place) + 2}`],
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
  prove: (place) => ({
    files: {
      "t/many.t": `use strict;\nuse warnings;\nuse Test::More tests => ${SIZE};\n${range(SIZE, (i) => `is(${i === at(place) ? i + 6 : i}, ${i}, 'no error in case ${i}');`).join("\n")}\n`,
    },
    command: ["prove", "-v", "t"],
    must: [
      `not ok ${at(place) + 1} - no error in case ${at(place)}`,
      `got: '${at(place) + 6}'`,
      `expected: '${at(place)}'`,
      "Result: FAIL",
    ],
  }),
  pylint: (place) => ({
    files: Object.fromEntries(
      range(30, (k) => [
        `mod${three(k)}.py`,
        `import os, sys\ndef F(a,b,c):\n    x = 1\n    ${k === one(place, 30) ? `return undefined_name_${k}` : "return a"}\ndef G( d ):\n    y=2\n`,
      ]),
    ),
    command: ["sh", "-c", "pylint --exit-zero --disable=R *.py; echo done"],
    must: [`Undefined variable 'undefined_name_${one(place, 30)}'`],
  }),
  "python-access": (place) => ({
    files: {
      "main.py": `for i in range(${SIZE}):\n    print(f'10.0.0.{i % 9} - - [01/May/2024:12:00:{i % 60:02d} +0000] "GET /api/items/{i} HTTP/1.1" {503 if i == ${at(place)} else 200} {i * 7 % 900} "-" "curl/8"')\n    if i == ${at(place)}: print(f'upstream pool-{i} exhausted, request rejected')\n`,
    },
    command: ["python3", "main.py"],
    must: [`GET /api/items/${at(place)} HTTP/1.1" 503`],
  }),
};
