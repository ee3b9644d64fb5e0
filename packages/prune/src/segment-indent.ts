// Scopes from indentation alone, for languages without a grammar and for texts that a parser should not see. A line
// with deeper lines below it opens a scope; what it is called comes from a few shapes that most languages share.
import { indentOf, type LineTable, lineAt } from "./lines.ts";
import { finishOutline, type Outline, ROLE, type Scope, type ScopeKind, type Unit } from "./outline.ts";

const CLASS =
  /^\s*(?:(?:export|default|public|private|protected|internal|abstract|final|sealed|static|partial|pub(?:\([^)]*\))?|unsafe|data|open)\s+)*(?:class|struct|interface|trait|impl(?:<[^>]*>)?|enum|module|namespace|object|protocol|extension|record|type|union)\s+([\p{L}_$][\p{L}\p{N}_$:.]*)/u;
const FUNCTION =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|async|override|virtual|final|pub(?:\([^)]*\))?|const|unsafe|extern|inline|local)\s+)*(?:def|function\*?|func(?:\s*\([^)]*\))?|fn|sub|proc|fun|method)\s+([\p{L}_$][\p{L}\p{N}_$.?!]*)/u;
const BOUND =
  /^\s*(?:(?:export|const|let|var|public|private|static|readonly)\s+)*([\p{L}_$][\p{L}\p{N}_$.]*)\s*(?::[^=]+)?[:=]\s*(?:async\s*)?(?:function\b|\([^)]*\)[^=]*=>|[\w$]+\s*=>)/u;
const METHOD = /^\s*(?:[\p{L}_$][\p{L}\p{N}_$<>,.[\]*&:?]*\s+)*[*&]*([\p{L}_$~][\p{L}\p{N}_$:~]*)\s*\([^;]*$/u;
const NOT_METHOD =
  /^\s*(?:if|else|for|foreach|while|switch|catch|return|throw|with|using|lock|await|new|do|try|match|when|unless|until|elif|except)\b/;
const BRANCH = /^\s*[})]*\s*(?:else|elif|except|finally|catch|case|default|when|rescue|ensure|elsif)\b/;
const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:{]|using\s+[\w.]+;|require(?:_relative)?\b|(?:const|let|var)\s.*=\s*require\(|package\s+[\w.]+;?\s*$)/;
const COMMENT = /^\s*(?:#(?!\s*include|!\[|\[)|\/\/|\/\*|\*|--\s|;;|"""|''')/;
const CLOSER = /^\s*(?:[\])}]+[;,)]*|end\b[\w\s]*;?|fi|done|esac)\s*$/;
const DECORATOR = /^\s*(?:@[\w(]|#!?\[|\[\w+[\](])/;

export function segmentByIndent(table: LineTable): Outline {
  const n = table.count;
  const indent = new Int32Array(n);
  const deeperEnd = new Int32Array(n).fill(-1);
  const stack: number[] = [];
  let lastSeen = -1;
  const close = (until: number, last: number): void => {
    while (stack.length > 0 && (indent[stack.at(-1) ?? 0] ?? 0) >= until) deeperEnd[stack.pop() ?? 0] = last;
  };
  for (let i = 0; i < n; i++) {
    const width = indentOf(table, i);
    indent[i] = width;
    if (width < 0) continue;
    close(width, lastSeen);
    stack.push(i);
    lastSeen = i;
  }
  close(-1, lastSeen);

  const scopes: Omit<Scope, "parent">[] = [];
  const units: Unit[] = [];
  for (let i = 0; i < n; i++) {
    const width = indent[i] ?? -1;
    if (width < 0) continue;
    const line = lineAt(table, i).slice(0, 400);
    if (IMPORT.test(line)) units.push({ start: i, end: i, role: ROLE.import });
    else if (COMMENT.test(line)) units.push({ start: i, end: i, role: ROLE.comment });
    let end = deeperEnd[i] ?? i;
    if (end <= i || CLOSER.test(line) || COMMENT.test(line)) continue;
    let closer = end + 1;
    if (closer < n && indent[closer] === width && CLOSER.test(lineAt(table, closer))) end = closer;
    else closer = end + 1;
    const named = nameOf(line);
    let lead = i;
    while (lead > 0 && indent[lead - 1] === width && isLead(lineAt(table, lead - 1))) lead--;
    scopes.push({ ...named, lead, start: i, headerEnd: i, end, closer });
  }
  return finishOutline(table, scopes, units);
}

function isLead(line: string): boolean {
  return (COMMENT.test(line) || DECORATOR.test(line)) && !IMPORT.test(line);
}

function nameOf(line: string): { kind: ScopeKind; name: string } {
  const type = CLASS.exec(line)?.[1];
  if (type) return { kind: "class", name: type };
  const fn = FUNCTION.exec(line)?.[1] ?? BOUND.exec(line)?.[1];
  if (fn) return { kind: "function", name: fn };
  if (BRANCH.test(line)) return { kind: "branch", name: "" };
  if (!NOT_METHOD.test(line)) {
    const method = METHOD.exec(line)?.[1];
    if (method && /[{:]\s*$|\)\s*$/.test(line)) return { kind: "function", name: method };
  }
  return { kind: "block", name: "" };
}
