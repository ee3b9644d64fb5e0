// How programs report a failure without the words "error", "fail" or "exception": data, one row per family of tools.
// The rows are read without regard to case; a report that depends on it is a sign of its tool (log-signs.ts).
import { byFirstLetter } from "../text/alternatives.ts";

/** Patterns by the place where they are looked for. */
interface Places {
  /** At the beginning of a word. */
  readonly words: readonly RegExp[];
  /** At the beginning of a line. */
  readonly openings: readonly RegExp[];
  /** Anywhere. */
  readonly marks: readonly RegExp[];
}

const anyOf = (rows: readonly RegExp[]): string => `(?:${rows.map(({ source }) => source).join("|")})`;

/**
 * One pattern for each place, in any case: one for all places would be half as fast, one for each row slower still. See
 * byFirstLetter.
 */
export function patternsAt({ words, openings, marks }: Places): [word: RegExp, opening: RegExp, mark: RegExp] {
  return [
    new RegExp(`\\b${byFirstLetter(anyOf(words))}`, "i"),
    new RegExp(`^${anyOf(openings)}`, "i"),
    new RegExp(anyOf(marks), "i"),
  ];
}

const PHRASES: readonly RegExp[] = [
  // Names and files that a compiler, a linker, an interpreter or a shell did not find.
  /(?:unresolved (?:references?|externals?|imports?|symbols?|identifiers?|modules?)|undeclared|unbound (?:variable|value|identifier)|undefined (?:symbols?|variable|index|offset|method|function|array key|local|control sequence|identifier|label|behaviou?r))\b/,
  /no (?:such (?:table|column|module|host|device|container|image|process|command|method|key|service|element|option|package|instruction)|rule to make target|module named|matching (?:function|member|package|version|distribution|manifest)|space left)\b/,
  /unknown (?:directive|options?|commands?|arguments?|flags?|hosts?|columns?|identifier|target|module|keyword|instruction)\b|unrecogni[sz]ed (?:options?|commands?|arguments?|flags?)|not recogni[sz]ed as (?:an? |the name )/,
  /unexpected (?:token|end of|eof|character|identifier|indent|symbol|keyword)\b|(?:missing separator|mismatched types|attempt to (?:index|call|compare|perform|concatenate))\b/,
  /(?:could(?: not|n['’]t)|unable to) (?:be (?:resolved|found|loaded|opened|read|parsed|located)|handle|resolve|find|open|connect|locate|load|read|write|access|start|create|parse|allocate|determine|compile|import|bind|reach|satisfy|get|fetch|install|execute|spawn|mount|lock|acquire|verify|pull|push|delete|remove)\b|can['’]t (?:resolve|find|open|locate|load|connect|read|exec)\b/,
  // Memory checkers, the kernel, the C library.
  /ThreadSanitizer: |SUMMARY: \w+Sanitizer: /,
  /(?:BUG: (?:unable|KASAN|KCSAN|KMSAN|kernel|soft lockup|workqueue|bad page|sleeping|scheduling|spinlock|using)|Oops: [0-9a-f]|general protection fault|soft lockup|hung task|blocked for more than \d+ seconds|Call Trace:|kernel BUG at)/,
  /(?:out of memory|stack overflow|stack smashing|double free|invalid pointer|illegal instruction|bus error|broken pipe|address already in use|operation not permitted|certificate (?:has expired|verify)|deadline exceeded|OOMKilled|Bail out!)/,
  // Containers, clusters, version control, packages.
  /non-?zero (?:exit )?(?:code|status|exit)\b|Warning {3,}[A-Z]\w+ {3,}\S|Failed[A-Z][a-z]\w+|was (?:refused|rejected)\b|ERR!|would reformat\b/,
  // Networks and servers.
  /(?:x509: |TLS handshake timeout|connection (?:to \S+ )?closed by (?:remote|foreign) host|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|awaiting response\.{3} [45]\d\d|manifest unknown|Unauthorized: |token (?:has |is )?expired|rejected: |explicitly forbidden)/,
  // Limits and locks.
  /(?:too many (?:open files|levels of symbolic|connections|redirects)|(?:argument list|file name) too long|quota exceeded|(?:database|table|state) is (?:already )?locked)\b/,
  // What was given to a program, and did not suit it.
  /(?:multiple definition of|duplicate symbol|unterminated [\w`'"]|invalid (?:configuration|data found|argument)|missing required|(?:schema|checksum|hash|digest|signature) mismatch)/,
  // How tests report it, where they have no sign.
  /did(?: not|n['’]t) (?:pass|succeed)\b|expected:? .{1,80}? but (?:got|was|received|found)\b|callback was not invoked within|exceeded timeout of \d|timeout of \d+ ?ms exceeded/,
  // States of stacks, hosts, pools and models.
  /(?:CREATE|UPDATE|DELETE|ROLLBACK|IMPORT)_FAILED\b|unreachable=[1-9]|Result: False\b|state: (?:DEGRADED|FAULTED|UNAVAIL)\b|loss[ :=]{1,3}nan\b|line \d+: +\d+ (?:Terminated|Hangup|Alarm clock|Trace\/breakpoint trap)\b/,
  // Exit codes by name, as Node.js and the C library have them.
  /E(?:CONN(?:REFUSED|RESET|ABORTED)|NOENT|ACCES|ADDRINUSE|ADDRNOTAVAIL|TIMEDOUT|NOTFOUND|AI_AGAIN|MFILE|NOSPC|ROFS|HOSTUNREACH|NETUNREACH|RESOLVE|LIFECYCLE|INTEGRITY|BADENGINE)\b/,
];
const OPENINGS: readonly RegExp[] = [
  // Memory checkers, the kernel, the C library.
  /==\d+==\s+(?:Invalid|Conditional jump|Use of uninit|Mismatched|Syscall param|Process terminating|Jump to the invalid|.*definitely lost)/,
  // A shell's name for the signal that ended a program; R, LLVM, gradle, bandit.
  /(?:(?:Terminated|Hangup|Alarm clock|Trace\/breakpoint trap|Execution halted|Stack dump:)(?: \(core dumped\))?\s*$|\* What went wrong:|>> Issue: \[)/,
];
/** Openings whose first word ends with a colon. */
const COLON_OPENINGS: readonly RegExp[] = [
  // kotlinc, rubocop, make.
  /e: (?:file:\/\/)?\S+\.kts?\b|\S+:\d+:\d+: [EF]: |\S*make(?:\[\d+\])?: \*{3} /,
];
const MARKS: readonly RegExp[] = [
  // Containers, clusters, version control, packages.
  /! \[(?:remote )?rejected\]|\(VIOLATED\)/,
  // Levels: nginx and syslog, Serilog, MongoDB.
  /\[(?:emerg|alert|crit|err|ftl)\]/,
  /\d (?:ERR|FTL)\]/,
  /"s": ?"[EF]"/,
];
const MARK_BEYOND_ASCII = /🔴/;

const [PHRASE, OPENING, MARK] = patternsAt({
  words: PHRASES,
  openings: OPENINGS,
  marks: [...MARKS, MARK_BEYOND_ASCII],
});
const [, COLON_OPENING] = patternsAt({ words: [], openings: COLON_OPENINGS, marks: [] });
/** Each mark has one of these. */
const MARK_HINT = /[\]"(]|🔴/;
const COLON = 58;

/** Whether a line has one of these phrases, in any case. */
export function hasFailurePhrase(line: string): boolean {
  return PHRASE.test(line) || hasOpeningOrMark(line);
}

/** Whether a line has one of the openings or marks, which are not words. */
export function hasOpeningOrMark(line: string): boolean {
  if (OPENING.test(line)) return true;
  // Found by hand: a pattern would look for the colon from every character of the word.
  if (line.charCodeAt(line.indexOf(" ") - 1) === COLON && COLON_OPENING.test(line)) return true;
  return MARK_HINT.test(line) && MARK.test(line);
}

/** The same as patterns for whole texts: each mark alone is found faster. */
export const PHRASES_OF_TEXT: readonly RegExp[] = [
  PHRASE,
  new RegExp(`^${anyOf([...OPENINGS, ...COLON_OPENINGS])}`, "i"),
  ...MARKS,
];
/** The pattern that only a text with a character beyond ASCII can match. */
export const PHRASES_BEYOND_ASCII: readonly RegExp[] = [MARK_BEYOND_ASCII];
export { PHRASE };
