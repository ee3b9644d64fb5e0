// how families of tools report a failure, most of them without the word "error". Each report stands once in the
// middle of a long text and stays under every name and kind.
import { describe, expect, it } from "vitest";
import { type Amount, prune, renderPruned, type SourceKind, shortMarker } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";

const grammars = createTreeSitterGrammars();
const FOCUS = "which version of the layout renderer is used?";
const RATIO: Amount = { mode: "ratio", maxPruneRatio: 0.95, minKeepLines: 5 };
const WORDS = "alpha bravo delta cache module stream index table worker packet widget socket buffer config".split(" ");
const LINES = 400;

const word = (i: number): string => WORDS[(i * 7919 + (i >> 3)) % WORDS.length] ?? "";
const STREAMS = {
  build: (i: number) =>
    `[${i}/6000] Compiling ${word(i)}_${word(i * 3)}_${i} v0.${i % 30}.1 (/src/${word(i * 7)}/${i}.c)`,
  log: (i: number) => `2026-01-01T00:00:${10 + (i % 50)}Z INFO ${word(i)} handled request ${i} in ${i % 90} ms`,
  prose: (i: number) =>
    i % 6 === 5
      ? ""
      : `The ${word(i)} of the ${word(i * 3)} is described here, and the ${word(i * 5)} follows from it.`,
};
type Stream = keyof typeof STREAMS;

/** Reports as tools print them; a line that ends with "…" may go. */
const REPORTS: Record<string, readonly string[]> = {
  "jest, verbose": ["    ✕ adds zebras (5 ms)"],
  "jest, a block": [
    "  ● zebra › adds",
    "…",
    "    expect(received).toBe(expected) // Object.is equality",
    "…",
    "    Expected: 4",
    "    Received: 5",
    "…",
    "      at Object.<anonymous> (src/zebra.test.ts:13:22)",
  ],
  "make, no rule": ["make: *** No rule to make target 'zebra', needed by 'all'.  Stop."],
  "make, a separator": ["Makefile:12: *** missing separator.  Stop."],
  npm: [
    "npm ERR! code ERESOLVE",
    "npm ERR! ERESOLVE unable to resolve dependency tree",
    "npm ERR! ",
    "npm ERR! While resolving: zebra-app@0.1.0",
    "npm ERR! Found: react@18.2.0",
    "npm ERR! node_modules/react",
    "npm ERR! ",
    "npm ERR! Could not resolve dependency:",
    'npm ERR! peer react@"^16.8.0" from zebra-ui@4.12.4',
  ],
  "npm, not found": [
    "npm ERR! code E404",
    "npm ERR! 404 Not Found - GET https://registry.npmjs.org/zebra - Not found",
    "npm ERR! 404  'zebra@^1.0.0' is not in this registry.",
  ],
  gyp: ["gyp ERR! find Python Python is not set from command line or npm configuration"],
  kotlinc: ["e: file:///src/Zebra.kt:12:5 Unresolved reference: quux"],
  "kotlinc, older": ["e: /src/Zebra.kt: (12, 5): Unresolved reference: quux"],
  valgrind: ["==4711== Invalid read of size 4", "==4711==    at 0x4005: zebra (zebra.c:7)"],
  "valgrind, a leak": ["==4711== 40 bytes in 1 blocks are definitely lost in loss record 1 of 1"],
  kernel: ["[12345.678901] BUG: unable to handle page fault for address: ffffffff81"],
  "kernel, a hung task": ["[12345.678901] INFO: task zebra:4711 blocked for more than 120 seconds."],
  nginx: ['nginx: [emerg] unknown directive "zebra" in /etc/nginx/nginx.conf:3'],
  docker: ["The command '/bin/sh -c zebra' returned a non-zero code: 127"],
  "kubectl, an event": [
    "3m   Warning   FailedScheduling   pod/zebra   0/3 nodes are available: 3 Insufficient memory.",
  ],
  "kubectl, a probe": ["9s   Warning   Unhealthy   pod/zebra   Readiness probe returned 503"],
  "kubectl, a pod": ["zebra-1   0/1   OOMKilled   3   3m"],
  PowerShell: [
    "zebra : The term 'zebra' is not recognized as the name of a cmdlet, function, script file",
    "At line:1 char:1",
    "+ zebra",
    "    + CategoryInfo          : ObjectNotFound: (zebra:String) [], CommandNotFoundException",
  ],
  cmd: ["'zebra' is not recognized as an internal or external command,"],
  Spanish: ["falló: zebra no existe"],
  Portuguese: ["A compilação falhou: zebra"],
  "French, a verb": ["la compilation de zebra a échoué"],
  German: ["Übersetzung von zebra fehlgeschlagen"],
  Polish: ["Błąd: nie można otworzyć zebra"],
  "pytest, dots": ["tests/test_zebra.py ....F....   [ 33%]"],
  "unittest, dots": ["......F........"],
  "PHPUnit, dots": ["...........E...................  63 / 100 ( 63%)"],
  PHPUnit: [
    "1) Tests\\ZebraTest::testAdds",
    "Failed asserting that 5 matches expected 4.",
    "…",
    "/app/ZebraTest.php:12",
  ],
  minitest: ["  1) Failure:", "ZebraTest#test_adds [test/zebra_test.rb:12]:", "Expected: 4", "  Actual: 5"],
  ExUnit: [
    "  1) test adds (ZebraTest)",
    "     test/zebra_test.exs:12",
    "     Assertion with == failed",
    "     code:  assert add(2, 2) == 4",
    "     left:  5",
    "     right: 4",
  ],
  XCTest: ["/src/ZebraTests.swift:12: error: -[ZebraTests testAdds] : XCTAssertEqual failed: (5) is not equal to (4)"],
  "Swift Testing": ["✘ Test adds() recorded an issue at ZebraTests.swift:12:5: Expectation failed: 5 == 4"],
  terraform: ["│ Error: Invalid reference", "│ ", '│   on zebra.tf line 3, in resource "x" "y":', "╵"],
  "ansible, unreachable": ['fatal: [zebra]: UNREACHABLE! => {"changed": false, "msg": "no route"}'],
  "rustc, a denied warning": [
    "error: unused variable: `quux`",
    "  --> src/zebra.rs:4:9",
    "   |",
    "4  |     let quux = 1;",
    "   |         ^^^^ help: if this is intentional, prefix it with an underscore: `_quux`",
  ],
  elm: [
    "-- TYPE MISMATCH ---------------------------------------- src/Zebra.elm",
    "…",
    "The 1st argument is not what I expect:",
  ],
  TeX: ["! Undefined control sequence.", "l.12 \\quux"],
  flutter: ["00:03 +12 -1: zebra adds [E]", "  Expected: <4>", "    Actual: <5>"],
  logcat: ["01-01 00:00:00.000  1234  1234 E Zebra   : quux is gone"],
  Lua: ["lua: zebra.lua:3: attempt to index a nil value (local 'quux')"],
  Perl: ["Can't locate Zebra/Quux.pm in @INC (you may need to install the Zebra::Quux module) at zebra.pl line 3."],
  bundler: ["Could not find gem 'zebra (= 9)' in any of the gem sources listed in your Gemfile."],
  composer: ["Your requirements could not be resolved to an installable set of packages."],
  apt: ["E: Unable to locate package zebra"],
  git: [" ! [rejected]        main -> main (fetch first)"],
  rubocop: ["zebra.rb:12:5: E: Lint/Syntax: unexpected token kEND"],
  "a server that is down": [
    "The connection to the server zebra:8080 was refused - did you specify the right host or port?",
  ],
  "gRPC, a deadline": ["rpc zebra: context deadline exceeded"],
  Node: ["connect ECONNREFUSED 10.0.0.7:5432"],
  "the C library": ["*** stack smashing detected ***: terminated"],
  bash: ["./zebra.sh: line 3: QUUX: unbound variable"],
  "MongoDB, a record": ['{"t":{"$date":"2026-01-01T00:00:00Z"},"s":"E","c":"STORAGE","msg":"zebra is gone"}'],
  Serilog: ["[00:00:00 ERR] zebra is gone"],
  "TAP, the end": ["Bail out!  zebra is gone"],
  "Ansible, a host that is gone": ["zebra03                      : ok=3    changed=1    unreachable=1    failed=0"],
  Salt: ["      Result: False"],
  CloudFormation: ["12:30:41 UTC | CREATE_FAILED        | AWS::S3::Bucket | Zebra | zebra already exists"],
  "Go, a certificate": ["Get https://zebra: x509: certificate signed by unknown authority"],
  "Go, a handshake": ["net/http: TLS handshake timeout"],
  "docker, a manifest": ["manifest for zebra/api:9 not found: manifest unknown"],
  "the C library, files": ["zebra: Too many open files"],
  "the C library, arguments": ["zebra: Argument list too long"],
  "a quota": ["write zebra: disk quota exceeded"],
  SQLite: ["zebra: database is locked"],
  "a linker": ["multiple definition of `zebra'; a.o:(.text+0x0): first defined here"],
  UBSan: ["SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior zebra.c:3:5"],
  sed: ["sed: -e expression #1, char 3: unterminated `s' command"],
  ffmpeg: ["zebra.mp4: Invalid data found when processing input"],
  R: ["Execution halted"],
  jasmine: ["Timeout - Async callback was not invoked within the 5000 ms timeout"],
  "an assertion": ["Expected 4 but got 3"],
  "JUnit's assertion": ["Expected: <4> but was: <3>"],
  "a count of tests": ["2 tests did not pass"],
  "a test's time": ["TIMEOUT: zebra adds two"],
  wget: ["HTTP request sent, awaiting response... 503 Service Unavailable"],
  configuration: ["Invalid configuration: key 'zebra' must be an integer"],
  environment: ["Missing required environment variable: ZEBRA_URL"],
  authorization: ["Unauthorized: token expired"],
  "a schema": ["rejected: schema mismatch in field zebra"],
  ssh: ["Connection to 10.0.0.2 closed by remote host."],
  "yarn, a lockfile": [
    "➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.",
  ],
  bandit: [">> Issue: [B105:hardcoded_password_string] Possible hardcoded password: 'zebra'"],
  "a timing report": ["Slack (VIOLATED) :        -0.312ns  (required time - arrival time)"],
  "a pool": ["pool: zebra state: DEGRADED"],
  training: ["step 812 | loss: nan | lr 3e-4"],
  "a shell, a signal": ["Terminated"],
  "a shell, a trap": ["Trace/breakpoint trap (core dumped)"],
  "a shell, a line": ["zebra.sh: line 3:  4711 Terminated              sleep 60"],
  LLVM: ["Stack dump:"],
  "a red light": ["🔴 zebra adds two items"],
  "one long word before it": [`${"x".repeat(600)} error: zebra is gone ${"x".repeat(600)}`],
};

const textOf = (stream: Stream, report: readonly string[]): string => {
  const lines = Array.from({ length: LINES }, (_, i) => STREAMS[stream](i));
  lines.splice(LINES >> 1, 0, ...report.map((line) => (line === "…" ? "" : line)));
  return `${lines.join("\n")}\n`;
};

async function show(text: string, how: { path?: string; kind?: SourceKind; amount?: Amount }): Promise<string> {
  const pruned = await prune(text, { focus: FOCUS, grammars, ...how });
  expect(pruned.note).not.toBe("engine_error");
  return renderPruned(text, pruned, { marker: shortMarker });
}

const WAYS: readonly { path?: string; kind?: SourceKind; amount?: Amount }[] = [
  { path: "out.log" },
  { path: "out.txt" },
  { path: "out.md" },
  { path: "out.json" },
  { path: "out.py" },
  { kind: "code", amount: RATIO },
  { kind: "docs", amount: RATIO },
  { kind: "logs", amount: RATIO },
];

describe("X-59 a failure stays, whatever tool reports it", () => {
  it.each(Object.entries(REPORTS))("%s", async (_, report) => {
    for (const stream of ["build", "log"] as const)
      for (const way of WAYS) {
        const text = textOf(stream, report);
        const shown = await show(text, way);
        for (const line of report) if (line !== "…") expect(shown, JSON.stringify({ stream, ...way })).toContain(line);
        expect(shown.length, JSON.stringify({ stream, ...way })).toBeLessThan(text.length / 4);
      }
  });

  it.each(["jest, a block", "jest, verbose", "make, no rule", "npm", "npm, not found"])(
    "in prose: %s",
    async (name) => {
      const report = REPORTS[name] ?? [];
      for (const way of WAYS) {
        const shown = await show(textOf("prose", report), way);
        for (const line of report) if (line !== "…") expect(shown, JSON.stringify(way)).toContain(line);
      }
    },
  );
});

describe("X-59 what only speaks of failures is not protected", () => {
  const PAGES: Record<string, (i: number) => string> = {
    "a page about failures": (i) =>
      `If the ${word(i)} could not be opened, or the ${word(i * 3)} is unable to connect, an unknown option was given.`,
    "a list with round bullets": (i) => `● the ${word(i)} of the ${word(i * 3)} and its ${word(i * 5)}`,
    "a table of codes": (i) => `| ECONNREFUSED${i} | the ${word(i)} was refused | ${word(i * 3)} |`,
    "comments of a source": (i) => `-- ${word(i).toUpperCase()} ${"-".repeat(40)}\nlocal ${word(i)}_${i} = ${i}`,
    "a page about what was given": (i) =>
      `A missing required ${word(i)} is told: expected the ${word(i * 3)} but got the ${word(i * 5)}, which did not pass.`,
    "a list of states": (i) => `- Terminated: the ${word(i)} of the ${word(i * 3)} is at its end`,
    "messages of a source": (i) => `  ${word(i)}${i}: "could not open ${word(i * 3)}",`,
  };
  it.each(Object.entries(PAGES))("%s", async (_, line) => {
    const text = Array.from({ length: 200 }, (_, i) => `${line(i)}\n${STREAMS.prose(i)}\n`).join("");
    for (const path of ["page.md", "page.txt", "page.lua"]) {
      const { kept } = await prune(text, { focus: FOCUS, grammars, path, amount: RATIO });
      expect(kept.filter((why) => why === 3).length, path).toBe(0);
    }
  });
});

it.each([
  "cp: cannot stat 'img%d.png': No such file or directory",
  "convert: img%d.png could not be decoded",
  "rm: cannot remove 'part%d': Permission denied",
])("X-59 failures that differ in a number are different ones: %s", async (pattern) => {
  const failed = Array.from({ length: 40 }, (_, i) => pattern.replace("%d", String(i + 31)));
  const steps = (from: number) => Array.from({ length: 600 }, (_, i) => `copied part ${from + i} of the archive`);
  const text = [...steps(0), ...failed, ...steps(600)].join("\n");
  const { kept } = await prune(text, { focus: "what was copied?", kind: "logs" });
  expect(failed.filter((_, i) => kept[600 + i] === 0)).toEqual([]);
});
