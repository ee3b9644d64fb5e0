// How tools report failures: data, one row per tool. `fail` opens a block that belongs to one failure, `end` closes it; `sum`
// is a line with the outcome. Matched against cleaned lines (no ANSI codes).
import { byFirstLetter } from "../text/alternatives.ts";
import { PHRASE, patternsAt } from "./failure-phrases.ts";

/** How one tool reports failures. */
export interface LogSign {
  readonly tool: string;
  readonly fail?: RegExp;
  readonly end?: RegExp;
  readonly sum?: RegExp;
  /** Where a tool prints a test before its outcome: the line that names it, and the one that reports its failure. */
  readonly run?: RegExp;
  readonly failed?: RegExp;
  /** A line above a failure, however far, with its place. */
  readonly heading?: RegExp;
  /** Prose has lines like `fail`, too: alone it is no proof of a program's output. */
  readonly isWeak?: true;
  /** The line that `end` matches is the failure's own, and the one that names it. */
  readonly closes?: true;
}

/** The signs of all tools; several may match a line. */
export const LOG_SIGNS: readonly LogSign[] = [
  {
    tool: "pytest",
    fail: /^_{3,} .+ _{3,}$/,
    end: /^(?:_{3,} .+ _{3,}|={3,}.*={3,})$/,
    // The end is checked first: otherwise it would be looked for again behind each of many such words.
    sum: /^(?:=+ (?=.* =+$).*\b(?:passed|failed|errors?)\b.* =+|(?:FAILED|ERROR) \S+::.*)$/,
  },
  {
    tool: "vitest",
    fail: /^\s*(?:FAIL|×)\s{1,2}\S/,
    end: /^\s*(?:FAIL\s|⎯{3,}|Test Files\s)/,
    sum: /^\s*(?:Test Files|Tests)\s+\d/,
  },
  {
    tool: "jest",
    fail: /^\s{0,12}● (?:.* › |Test suite failed to run)/,
    end: /^(?:\s{0,4}● |Tests?(?: Suites)?:|(?:PASS|FAIL) )/,
  },
  {
    // A test outside of a suite; lists have such bullets, too.
    tool: "jest, a single test",
    fail: /^\s{0,4}● /,
    isWeak: true,
    end: /^(?:\s{0,4}● |Tests?(?: Suites)?:|(?:PASS|FAIL) )/,
    sum: /^(?:Tests|Test Suites|Snapshots):\s/,
  },
  {
    tool: "mocha",
    fail: /^\s+\d+\) \S/,
    isWeak: true,
    end: /^\s+\d+\) \S/,
    sum: /^\s+\d+ (?:passing|failing|pending)\b/,
  },
  {
    tool: "phpunit",
    fail: /^\d+\) [\w\\]+::\w/,
    end: /^(?:\d+\) [\w\\]+::\w|--$|FAILURES!|ERRORS!|Tests: \d)/,
    sum: /^(?:FAILURES!|ERRORS!|Tests: \d+, Assertions: )/,
  },
  { tool: "tap diagnostics", fail: /^\s*#\s+Failed (?:TODO )?test\b/, end: /^(?!\s*#)/ },
  { tool: "tap", fail: /^\s*not ok\b/, end: /^\s*(?:not )?ok\b/, sum: /^# (?:fail|pass|tests)\b/ },
  {
    tool: "cargo test",
    fail: /^---- .+ stdout ----$/,
    end: /^(?:---- .+ stdout ----|failures:)$/,
    sum: /^(?:test result:|test .+ \.\.\. FAILED$|error: (?:test failed|could not compile|aborting))/,
  },
  { tool: "rust panic", fail: /^\s*thread '.*' panicked at /, end: /^\s*$|^note: / },
  { tool: "rustc", fail: /^error(?:\[E\d+\])?: /, end: /^\s*$|^(?:error|warning)/ },
  {
    tool: "go test",
    run: /^=== (?:RUN|CONT|NAME)\s+(\S+)/,
    failed: /^\s*--- FAIL: (\S+)/,
    fail: /^\s*--- FAIL: /,
    end: /^(?:\s*--- |=== |FAIL|ok\s|PASS)/,
    sum: /^FAIL\s+\S+|^(?:FAIL|PASS)$/,
  },
  {
    tool: "go panic",
    fail: /^panic: |^fatal error: |^goroutine \d+ \[running\]/,
    end: /^exit status/,
    sum: /^exit status \d+$/,
  },
  { tool: "go race", fail: /^WARNING: DATA RACE/, end: /^={10,}$/ },
  {
    tool: "python",
    fail: /^\s*(?:[|E] +)?Traceback \(most recent call last\):/,
    end: /^\s*(?:[|E] +)?[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Iteration)\b/,
    closes: true,
  },
  { tool: "tsc", sum: /^(?:Found \d+ errors?|.+\(\d+,\d+\): error TS\d+)/ },
  { tool: "go vet", sum: /^(?:vet: )?[\w./-]+\.go:\d+:\d+: (?!warning)/ },
  { tool: "pylint", sum: /^\S+:\d+:\d+: [EF]\d{4}: / },
  // The findings that are faults rather than style.
  { tool: "flake8 and ruff", sum: /^\S+:\d+:\d+: (?:E9\d\d|F63\d|F7\d\d|F82\d) / },
  { tool: "shellcheck", sum: /^\s*\^-+ SC\d+ \(error\)/ },
  { tool: "eslint", sum: /^✖ \d+ problems?|^\s+\d+:\d+\s+error\b/, heading: /^\S/ },
  {
    tool: "gcc",
    fail: /^\S+:\d+:(?:\d+:)? (?:(?:fatal|schwerwiegender) )?(?:error|Fehler|erreur|errore|ошибка|错误|エラー)(?: fatale?)? ?[:：]/,
    end: /^\S+:\d+:(?:\d+:)? |^\S*(?:make|ninja)/,
    sum: /^(?:make(?:\[\d+\])?: \*\*\*|ninja: build stopped|\d+ errors? generated)/,
  },
  {
    tool: "java",
    fail: /^(?:Exception in thread|Caused by: |[\w.$]+(?:Exception|Error)(?::|$))/,
    end: /^(?!\s+at |\s*\.\.\. |Caused by|\s*Suppressed)/,
  },
  {
    tool: "dotnet test",
    fail: /^\s*Failed \S.* \[[\d.<, ]+ m?s\]$/,
    end: /^\s*$|^\s*(?:Passed|Failed|Skipped) \S/,
    sum: /^\s*(?:Failed|Passed)!\s+- Failed:/,
  },
  {
    tool: "maven",
    fail: /^\[ERROR\] .*<<< (?:FAILURE|ERROR)!/,
    end: /^(?:\[(?:INFO|ERROR|WARNING)\]|\s*$)/,
    sum: /^(?:\[(?:INFO|ERROR|WARNING)\] )?(?:BUILD (?:SUCCESS|FAILURE)|Tests run:.*$(?<! in \S+))/,
  },
  {
    tool: "gradle",
    fail: /^\* What went wrong:/,
    end: /^\* Try:/,
    sum: /^(?:BUILD (?:SUCCESSFUL|FAILED)|\d+ tests? completed)/,
  },
  {
    tool: "junit xml",
    fail: /^\s*<(?:failure|error)\b[^>]*\b(?:message|type)=/,
    end: /<\/(?:failure|error)>|<testcase\b/,
  },
  { tool: "npm", sum: /^(?:npm|lerna|gyp) ERR! |^npm error (?:code|errno|command failed|Missing script)/ },
  {
    tool: "valgrind",
    fail: /^==\d+== (?:Invalid|Conditional jump|Use of uninit|Mismatched|Syscall param|Process terminating|Jump to)/,
    end: /^(?!==\d+==)|^==\d+==\s*$/,
  },
  { tool: "terraform", fail: /^│ Error: /, end: /^╵/ },
  {
    tool: "powershell",
    fail: /^(?:\S+ : The term )?'.*' is not recognized as (?:the name of a cmdlet|an internal)/,
    end: /^\s*$|FullyQualified/,
  },
  { tool: "elm", fail: /^-- [A-Z][A-Z ]+ -{3,} \S+$/, end: /^-- [A-Z]/ },
  { tool: "tex", fail: /^! (?:LaTeX |Package |Undefined |Missing |Extra |Emergency )/, end: /^l\.\d+ / },
  { tool: "logcat", sum: /^(?:\d\d-\d\d \d\d:\d\d:\d\d\.\d+ +\d+ +\d+ [EF] |[EF]\/[\w.]+ *\()/ },
  { tool: "flutter", fail: /^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: .*\[E\]$/, end: /^\d\d:\d\d \+/ },
  {
    // A row of dots with a failed test in it: pytest, unittest, PHPUnit, RSpec.
    tool: "progress",
    sum: /^(?:\S+\.\w+ )?(?=\S*\.\.)(?=[^\sFE]*[FE])[.FEsxXSIRWDN*]{4,}\s*(?:\[ *\d+%\]|\d+ \/ \d+ \( *\d+%\))?\s*$/,
  },
  { tool: "docker", fail: /^ ?> \[[^\]]+\].*:$/, end: /^-{6,}$|^ERROR: /, sum: /^ERROR: failed to/ },
  // Capitals: a setting is called so, too.
  { tool: "a test's time", sum: /^\s*TIMEOUT: [A-Za-z]/ },
  { tool: "exit", sum: /^\[?(?:exit(?:ed)?(?: with)?(?: code| status)?|Process exited with code)[: ]+\d+\]?\s*$/i },
];

/** The beginnings of signs that have no word of trouble in them, and compilers' places. */
const WORDLESS_SIGNS: readonly RegExp[] = [
  /^(?:_{3,} |-- [A-Z][A-Z ]+ ---|! [A-Z]|\d\d-\d\d \d\d:\d\d:\d\d\.|[EF]\/\w|\s*TIMEOUT: |\[?exit(?:ed)?(?: with)?(?: code| status)?[: ]+[1-9])/,
  /\.\.[FE]|[FE]\.\.|\[E\]$|\w:\d+:\d+: /,
];

/** Trouble as gcc, git, coreutils and runtimes print it in other languages. `\b` knows only ASCII letters. */
const FOREIGN_WORDS =
  /(?:Fehler|fehlgeschlagen|Erreurs?|Errore|fallit[oa]|Erro|Falha|falhou|[Ff]all(?:o|ido|ida|ó)|Hata|Chyba)(?![\wáéíóú])/;
const FOREIGN_MARKS =
  /[Éé]chec\b|[Éé]chou(?:é|er)|[Bb]łąd|Ошибк[аи]|[Пп]омилка|错误|錯誤|异常|失败|失敗|エラー|例外|오류|실패/;

/** A level or an outcome in a field of a record: in words, pino's 50 and 60, ESLint's 2. */
const FIELD_WORDS =
  /(?:level|severity|[Aa]ction|status|state|outcome|result|conclusion|reason)"?\s*:\s*"?(?:[Ee]rror|ERROR|[Ff]atal|[Cc]ritical|[Pp]anic|[Ff]ail(?:ed|ure)?)\b/;
const FIELD_MARKS = /"level"\s*:\s*[56]0\b|"severity"\s*:\s*2\b/;
const FIELD_TROUBLE = `${FIELD_MARKS.source}|\\b${FIELD_WORDS.source}`;

/** Words that name a failure wherever they stand; below, the openings and marks that do. */
const PLAIN_WORDS =
  /(?:DATA RACE|[Cc]onnection (?:refused|reset)|[Nn]o space left on device|CrashLoopBackOff|ImagePullBackOff|ErrImagePull|ORA-\d{5}|CONFLICT \(|[Dd]eadlock (?:found|detected)|Unhandled\w+)/;
const PLAIN_OPENINGS = /\s*(?:× |not ok\b)/;
const NOT_OK = /^\s*not ok\b/;
/** Only in capitals: klog's levels, and what an assertion of pytest compared. */
const CAPITAL_OPENINGS = /^(?:[EF]\d{4} \d\d:\d\d:\d\d|E {2,}\S)/;
const PLAIN_MARKS: readonly RegExp[] = [
  /(?:\w:|=>) not found\s*$/,
  /\*{3}(?:Failed|Timeout|Exception|Not Run)|HTTP\/[\d.]+"? 5\d\d\b/,
];
const TEST_MARKS = /[✗✖✘✕❌⨯]/;
const NAMED_TYPE = /[a-z](?:Error|Exception)\b/;

const [TROUBLE_WORD, TROUBLE_OPENING, TROUBLE_MARK] = patternsAt({
  words: [
    /(?:errors?|exceptions?|traceback|fatal|panic(?:ked)?|fail(?:ed|ures?|s|ing)?|segfault|segmentation fault|abort(?:ed|ing)?|critical|severe|unhandled|uncaught|denied|assert(?:ion)?(?: failed|error)?|core dumped|killed|timed out|cannot|could(?: not|n.t)|undefined (?:reference|name)|no such file|command not found|exit(?:ed)?(?: with)? (?:code|status)[ :=]+[1-9]\d*)\b/,
    PLAIN_WORDS,
    FIELD_WORDS,
    FOREIGN_WORDS,
  ],
  openings: [PLAIN_OPENINGS],
  marks: [NAMED_TYPE, ...PLAIN_MARKS, TEST_MARKS, FIELD_MARKS, FOREIGN_MARKS],
});
/** Words of trouble in any log (K-29): the line stays, with what stands around it. */
export const TROUBLE: readonly RegExp[] = [TROUBLE_WORD, TROUBLE_OPENING, TROUBLE_MARK, CAPITAL_OPENINGS];

/** The words of TROUBLE and the phrases in one pattern, because most lines match none of them. */
export const ANY_WORD = new RegExp(
  `\\b${byFirstLetter([TROUBLE_WORD, PHRASE].map(({ source }) => source.replace(/^\\\\b/, "")).join("|"))}`,
  "i",
);
/** TROUBLE without the words. */
export const TROUBLE_BESIDE_WORDS: readonly RegExp[] = TROUBLE.filter((pattern) => pattern !== TROUBLE_WORD);

/**
 * The same for whole texts, read in any case, with signs that have no word of trouble. Marks are found faster one by
 * one.
 */
export const TROUBLE_OF_TEXT: readonly RegExp[] = [
  TROUBLE_WORD,
  NOT_OK,
  CAPITAL_OPENINGS,
  NAMED_TYPE,
  ...PLAIN_MARKS,
  FIELD_MARKS,
  ...WORDLESS_SIGNS,
];
/** Those that only a text with a character beyond ASCII can match. */
export const TROUBLE_BEYOND_ASCII: readonly RegExp[] = [TEST_MARKS, FOREIGN_MARKS, /^\s{0,12}● /, /^\s*× /];

/** A line that states what went wrong: a level, a type, a word with its object. Others only mention it. */
export const SAID_TROUBLE = new RegExp(
  [
    /\[(?:error|fatal|severe|critical|panic)\]|\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|FAIL(?:ED|URE)?|Error|Failed|Fatal|Exception|Traceback|Cannot)\b|\b(?:error|fail(?:ed|ure)?|panic|fatal|denied|cannot|undefined reference)\b["']?\s*(?:[:!=[(]|to\b|in\b|at\b|with\b|after\b|because\b|$)|\b(?:timed out|core dumped|killed|abort(?:ed)?|segfault|segmentation fault|[Nn]o such file|[Cc]ommand not found|[Pp]ermission denied|exit(?:ed)?(?: with)? (?:code|status)[ :=]+[1-9]\d*)\b|^\s*\S+:\d+|^[\w.+/-]+: .*\b(?:cannot|can't|could not|couldn't|unable to)\b/,
    NAMED_TYPE,
    new RegExp(`\\b${PLAIN_WORDS.source}|^${PLAIN_OPENINGS.source}`),
    CAPITAL_OPENINGS,
    ...PLAIN_MARKS,
    TEST_MARKS,
    new RegExp(FIELD_TROUBLE),
    new RegExp(`(?:\\b${FOREIGN_WORDS.source}|${FOREIGN_MARKS.source})\\s*[:：]`),
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Words that deny trouble, such as "0 errors": they are removed before a line is judged. */
export const CALM =
  /\b(?:0|no|zero|without) (?:errors?|failures?|failed|exceptions?|warnings?)\b|\b(?:errors?|failures?|failed)["']?\s*[:=]\s*(?:0\b|\[\]|\{\}|""|null|none|false)|\b(?:0 fail(?:ed|ing)?)\b|\bfail(?:ed|ing|ures?)? 0\s*$/gi;

/** A line that reports a passed test, whatever the test's name. */
export const PASSED =
  /^\s*(?:[✓✔√] |ok \d+\b|--- PASS\b|PASS\s+\S)|\.\.\. ok\s*$|\bPASSED(?:\s+\[\s*\d+%\])?\s*$|^\[INFO\] Tests run: \d+, Failures: 0, Errors: 0,.* in \S+$/;

/** A line that `sum` matches and that reports success. */
export const WENT_WELL =
  /^(?!.*\b[1-9]\d* (?:fail|err))\s*(?:=+ .*\bpassed\b|(?:Test Files|Tests)\s+\d|(?:Tests|Test Suites|Snapshots):\s|\d+ (?:passing|pending)\b|# (?:pass|tests)\b|# fail 0$|test result: ok\b|PASS$|Found 0 errors|Passed!|(?:\[\w+\] )?(?:BUILD SUCCESS|Tests run: \d+, Failures: 0, Errors: 0\b)|\d+ tests? completed$|\[?(?:exit|Process exited)\b.*[: ]0\]?\s*$)/i;

/** What a tool prints after every failure: how to get more output. It looks like trouble but reports none. */
export const ADVICE =
  /^\[INFO\] (?:-{20,}|Total time:.*|Finished at:.*|)$|^\[ERROR\] ?(?:(?:-> )?\[Help \d+\]|$|To see the full stack trace|Re-run Maven|For more information about the errors|Please refer to |After correcting the problems)|^npm (?:ERR!|error) A complete log of this run|^\* Try:|^> Run with --|^note: (?:Some details are omitted, )?run with `RUST_BACKTRACE/i;

/** Signs of a failure in the middle of a line that is too long to be looked at whole. */
export const LOUD_TROUBLE = new RegExp(
  `\\b(?:FAIL(?:ED|URE)?|FATAL|ERROR|CRITICAL|PANIC)\\b|\\b(?:[Ee]rror|[Ff]atal|[Pp]anic|[Ff]ailed): |Traceback \\(most|panicked at|[a-z](?:Error|Exception): |${FIELD_TROUBLE}`,
);

/** Fields of a JSON record that report trouble. */
export const TROUBLE_FIELDS: readonly RegExp[] = [
  /^\s*"\w*(?:error|exception|failure|stack|stacktrace|traceback)"\s*:\s*(?:"[^"]|\{)/i,
  new RegExp(`^\\s*(?:- )?"?(?:${FIELD_TROUBLE})`, "i"),
  new RegExp(
    `^\\s*"(?:message|msg|text|output|log|reason|details?|stdout|stderr|body)"\\s*:.*(?:${LOUD_TROUBLE.source})`,
  ),
];

/** K-29's own words: kept in any case where a caller asked for the rule to the letter. */
export const NAMED_TROUBLE = /error|exception|traceback/i;

/** A stack frame. */
export const FRAME =
  /^\s+(?:at |File "|\d+: +(?:0x)?[\w<]|from \S+:\d+|in [`']|\.\.\. \d+ more)|^\s*(?:Caused by|During handling of|The above exception)/;
/** Part of a stack frame outside of the reader's own code. */
export const LIBRARY_FRAME =
  /node_modules|site-packages|dist-packages|node:internal|\(node:|\(internal\/|\/usr\/lib|lib\/python|<frozen |java\.base|\bjdk\.|\bsun\.|org\.junit|\.cargo\/registry|\/rustc\/|runtime\/|_pytest|^\s+\d+: +(?:<fn|core|std|alloc|test|__rust)/;

/** Source as jest, vitest and babel print it around a failure. */
export const SOURCE_LINE = /^\s*\d+ ?\|(?!\S+ +\| )/; // not `0|api  | …`, which is pm2's
/** The line of it that they point to. */
export const POINTED_LINE = /^\s*> ?\d+ ?\|/;

/** The beginnings of lines that programs print and that neither sources nor pages have. */
export const PRINTED_LINES: readonly RegExp[] = [
  // A time.
  /^\W{0,3}(?:\d{4}-\d\d-\d\d|\d\d?:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:|\d{10})/,
  // A compiler's or a linter's finding, and the source that it quotes.
  /^(?:[A-Za-z]:)?[^\s:]+(?::\d+(?::\d+)?(?: -|:)|\(\d+(?:,\d+)?\) ?:) (?:(?:fatal )?error|warning|note|info|[A-Z]{1,4}\d{3,4})\b/,
  /^\s*\d+ \| |^\s+\|\s*$|^\s+(?:\| +)?[\^~]+\s*$|^\s*--> \S+:\d+/,
  // A test's mark.
  /^\s*[✓✔√✗✖✘✕⨯×] /,
  // A test in a report of JUnit's form, and what a record of a program has.
  /^\s*<testcase\b/,
  /^\s*"(?:@?timestamp|time|ts|level|severity|status|outcome|duration(?:_?ms)?|pid|hostname|exit_?code)"\s*:\s*["\d]/,
  // What TAP prints around a test.
  /^\s*(?:# Subtest: |duration_ms: \d)/,
  // What an assertion of pytest compared, and where.
  /^E {2,}\S|^\S+\.\w+:\d+: (?:in \S+|\w*(?:Error|Exception|Failed))\s*$/,
  // An object of JSON that opens with its line: one record of many.
  /^\{ ?"[\w.@-]+": ?\S/,
];
