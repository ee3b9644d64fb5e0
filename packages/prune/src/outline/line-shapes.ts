// What a line of code begins, by its words alone: a class, a function, a branch, a statement. For languages without a
// grammar; it knows only shapes that many languages share. Every pattern is linear, so that no line is slow.
import type { ScopeKind } from "./outline.ts";

/** What a line begins; the name is "" where it has none. */
export interface Shape {
  readonly kind: ScopeKind;
  readonly name: string;
}

const MODIFIERS = 8;
const MODIFIER =
  /\s*(?:@[\w.]+(?:\([^()]*\))?|(?:pub|private|protected)(?:\([^()]*\)|\[\w+\])|(?:export|default(?!\s*[:=-])|public|private|protected|internal|fileprivate|open|abstract|final|sealed|static|partial|unsafe|data|inner|value|inline|noinline|annotation|override|virtual|async|suspend|operator|infix|tailrec|external|extern|actual|expect|lateinit|lazy|implicit|case|mutating|nonmutating|convenience|required|dynamic|indirect|weak|unowned|local|global|synchronized|native|transient|readonly|companion|pub|const|class(?=\s+(?:func|var|let)\b)|fun(?=\s+interface\b)))\s+/y;
const CLASS =
  /\s*\(?(?:class|struct|interface|trait|impl|enum(?:\s+(?:class|struct))?|module|namespace|object|protocol|extension|record|type|union|actor|contract|library|message|service|given|defmodule|defprotocol|defimpl|defrecord|deftype|@interface|@implementation|@protocol)(?:<[^<>]*>)?(?:\s+([\p{L}_$][\p{L}\p{N}_$:.]*)|\s*\{)/uy;
const FUNCTION =
  /\s*\(?(?:def|defp|defn-?|defmacrop?|defguardp?|defdelegate|defun|defmethod|function\*?|func|fn|sub|proc|procedure|fun|method|macro|rpc)\s/y;
const SPECIAL = /\s*(?:init|deinit|constructor|subscript|convenience init)\b[?!]?/y;
const BINDING = /\s*(?:val|var|let|const)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*[:{]/uy;
const BOUND =
  /^\s*(?:(?:local|export|const|let|var|val|public|private|static|readonly)\s+)*([\p{L}_$][\p{L}\p{N}_$.:]*)\s*(?:=|<-|:=)\s*(?:async\s*)?(?:function\b|fn\b|\(|\{|[\w$]+\s*=>)/u;
const CALLED = /^\s*([\p{L}_$][\p{L}\p{N}_$.]*)\s*\(?\s*(["'`])/u;
const OBJC_METHOD = /^[-+]\s*\([^()]*\)\s*(\w+)/;
const CONTROL =
  /^\s*(?:if|else|for|foreach|while|switch|catch|with|using|lock|do|try|match|when|unless|until|elif|except|case|guard|defer|repeat|loop|begin|cond|receive|quote|select|then)\b/;
const PLAIN = /^\s*(?:return|throw|await|new|yield|fn|raise|go|and|or|not|in|is|as|assert|fun)\b/;
const GOES_ON = /^\s*(?:when|where|throws|rethrows|extends|implements|with|returns|requires)\b|^\s*(?::|->)\s/;
const BRANCH =
  /^\s*(?:[})\]]+\s*)?(?:else|elif|elseif|elsif|except|finally|catch|case|when|rescue|ensure|after)\b|^\s*(?:[})\]]+\s*)?default\s*(?::|->|=>)/;
/** Kotlin's `when (x) {` is a fork, not one of its branches; so is `case x do`. */
const FORK = /^\s*when\s*[({].*\{\s*$|^\s*(?:case|when)\b.*\b(?:do|of)\s*$/;
const OPENS =
  /(?:[{:]|=>|->|\b(?:do|then|of|begin|where)|\bfunction\s*\([^()]*\)|\{\s*(?:\[[^[\]]*\]\s*)?[\w(), :?]*\bin|(?:\bdo|\{)\s*\|[^|]*\|)\s*$/;
const REMARK = /\s(?:\/\/|--|#)\s[^"']*$/;
const CLOSER = /^\s*(?:[\])}]+[;,)\]]*|(?:end|End|END)(?:\s+\w+)*[)\]};,.]*|fi|done|esac|@end)\s*$/;
const NAME = /[\p{L}\p{N}_$]+[?!]?$/u;

/** Whether a line opens a body: a block, a lambda, a branch. */
export function opensBody(line: string): boolean {
  return OPENS.test(/\s(?:\/\/|--|#)\s/.test(line) ? line.replace(REMARK, "") : line);
}
/** Whether a line only closes a body. */
export function isCloser(line: string): boolean {
  return CLOSER.test(line);
}
/** Whether a line begins a branch: `else`, `catch`, `case`. */
export function isBranch(line: string): boolean {
  return BRANCH.test(line) && !FORK.test(line);
}
/** Whether a line begins a control statement. */
export function isControl(line: string): boolean {
  return CONTROL.test(line);
}

/** Whether a line goes on with the signature above it: a guard, a constraint, a result. */
export function goesOn(line: string): boolean {
  return GOES_ON.test(line);
}

/** A function or class by its own word; nothing else is known to be one without a body. */
export function declarationOf(line: string): Shape | undefined {
  const at = afterModifiers(line);
  CLASS.lastIndex = at;
  const type = CLASS.exec(line);
  if (type !== null) return { kind: "class", name: (type[1] ?? "").replace(/[:.]+$/, "") };
  FUNCTION.lastIndex = at;
  if (FUNCTION.test(line)) {
    const rest = line.slice(FUNCTION.lastIndex);
    // A variable of that name; a lambda, which has none.
    if (/^\s*(?:=|when\b|->|<-|[.,)])/.test(rest)) return undefined;
    return { kind: "function", name: /^[^(]*->/.test(rest) ? "" : signatureName(rest) };
  }
  SPECIAL.lastIndex = at;
  const special = SPECIAL.exec(line)?.[0];
  if (special !== undefined && /^\s*[({<]/.test(line.slice(SPECIAL.lastIndex)))
    return { kind: "function", name: special.trim() };
  const sent = OBJC_METHOD.exec(line)?.[1];
  return sent === undefined ? undefined : { kind: "function", name: sent };
}

/** What the first line of something with a body is. `atTop`: nothing stands around it. */
export function shapeOf(line: string, { atTop }: { readonly atTop: boolean }): Shape {
  const declared = declarationOf(line);
  if (declared !== undefined) return declared;
  const bound = BOUND.exec(line)?.[1];
  const opens = opensBody(line);
  if (bound !== undefined && /\bfunction\b|=>|\bfn\b/.test(line)) return { kind: "function", name: bound };
  if (isBranch(line)) return { kind: "branch", name: "" };
  if (isControl(line) || PLAIN.test(line)) return { kind: "block", name: "" };
  BINDING.lastIndex = afterModifiers(line);
  const property = BINDING.exec(line)?.[1];
  if (property !== undefined && opens && !/=/.test(line)) return { kind: "function", name: property };
  const called = calledOf(line);
  if (called !== "" && opens) return { kind: "function", name: called };
  const method = methodOf(line, { atTop });
  if (method !== "") return { kind: "function", name: method };
  if (atTop && /\{\s*$/.test(line) && !/=/.test(line))
    return {
      kind: "function",
      name: line
        .replace(/[^\p{L}\p{N}_.-]+/gu, " ")
        .trim()
        .slice(0, 80),
    };
  return { kind: "block", name: "" };
}

/** What a signature calls itself: the last word before its parameters, its type parameters left out. */
function signatureName(rest: string): string {
  const plain = rest.slice(0, 200).replace(/<[^<>()]*>/g, "");
  const end = plain.search(/[({=[]|\bdo\b|:(?!\w)|,|\s+when\s/);
  const head = (end < 0 ? plain : plain.slice(0, end)).trim();
  return NAME.exec(head.replace(/`/g, ""))?.[0] ?? head.slice(0, 40);
}

function afterModifiers(line: string): number {
  let at = 0;
  for (let words = 0; words < MODIFIERS; words++) {
    MODIFIER.lastIndex = at;
    if (!MODIFIER.test(line)) break;
    at = MODIFIER.lastIndex;
  }
  return at;
}

/** `it("adds", …` and `test "adds" do`: the word and what it is about. */
function calledOf(line: string): string {
  const found = CALLED.exec(line);
  if (found === null) return "";
  const from = found[0].length;
  const end = line.indexOf(found[2] ?? '"', from);
  return end < 0 || end - from > 80 ? "" : `${found[1]} ${line.slice(from, end)}`;
}

const METHOD_HEAD = /^[\p{L}\p{N}_$<>,.[\]*&:?~ \t]+$/u;

/** `Type name(…) {`: at least a word before the name, or nothing around it at all. */
function methodOf(line: string, { atTop }: { readonly atTop: boolean }): string {
  const paren = line.indexOf("(");
  if (paren <= 0 || !/(?:[{:)]|->)\s*$/.test(line)) return "";
  const head = line.slice(0, paren);
  if (!METHOD_HEAD.test(head)) return "";
  const words = head.trim().split(/\s+/);
  if (words.length < 2 && !(atTop && /(?:\{|->)\s*$/.test(line))) return "";
  return /[\p{L}_$~][\p{L}\p{N}_$:~]*$/u.exec(head.trim())?.[0] ?? "";
}
