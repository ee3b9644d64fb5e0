// Which lines of a file open a named scope, by patterns on single lines: fast enough for every file of a repository,
// where a parser would cost seconds. Line ends, strings and comments are not understood; a wrong scope costs rank only.
import type { Family } from "../catalog/file-kind.ts";
import type { DefinitionKind } from "../store/scanned-file.ts";

/** A line that opens a named scope or defines a constant. */
interface Definition {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** 0-based. */
  readonly line: number;
  readonly indent: number;
}

interface Rule {
  readonly pattern: RegExp;
  readonly kind: DefinitionKind;
}

const NOT_A_METHOD =
  /^(?:if|for|while|switch|catch|return|else|do|try|with|function|new|await|typeof|delete|throw|case|sizeof|assert|super|this|defined|and|or|not|in|match|loop|unless|when|yield|import|require|describe|it|test|expect)$/;

const RULES: Readonly<Record<Family, readonly Rule[]>> = {
  python: [
    { kind: "class", pattern: /^class\s+(\w+)/ },
    { kind: "function", pattern: /^(?:async\s+)?(?:c?p?def)\s+(\w+)/ },
    { kind: "constant", pattern: /^([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/ },
  ],
  script: [
    { kind: "class", pattern: /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?class\s+(\w+)/ },
    {
      kind: "type",
      pattern: /^(?:export\s+)?(?:declare\s+)?(?:const\s+)?(?:interface|enum|type|namespace|module)\s+(\w+)/,
    },
    {
      kind: "function",
      pattern: /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/,
    },
    {
      kind: "function",
      pattern:
        /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*$|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>|<)/,
    },
    { kind: "constant", pattern: /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=/ },
    {
      kind: "function",
      pattern:
        /^(?:(?:public|private|protected|static|readonly|override|async|get|set)\s+)*([\w$#]+)\s*(?:<[^>]*>)?\([^;]*(?:\{|,|\()$/,
    },
    { kind: "function", pattern: /^([\w$.]+)\s*(?:=|:)\s*(?:async\s*)?function\b/ },
  ],
  go: [
    { kind: "function", pattern: /^func\s+(?:\([^)]*\)\s*)?(\w+)/ },
    { kind: "type", pattern: /^type\s+(\w+)/ },
    { kind: "constant", pattern: /^(?:const|var)\s+(\w+)/ },
  ],
  rust: [
    {
      kind: "function",
      pattern:
        /^(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"[^"]*"\s+)?fn\s+(\w+)/,
    },
    { kind: "class", pattern: /^(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|trait|union|mod)\s+(\w+)/ },
    { kind: "class", pattern: /^impl(?:<[^>]*>)?\s+(?:[^{]*\sfor\s+)?&?(?:\w+::)*(\w+)/ },
    { kind: "function", pattern: /^macro_rules!\s+(\w+)/ },
    { kind: "constant", pattern: /^(?:pub(?:\([^)]*\))?\s+)?(?:const|static|type)\s+(\w+)/ },
  ],
  braces: [
    {
      kind: "class",
      pattern:
        /^(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|partial|export|template\s*<[^>]*>)\s+)*(?:class|interface|enum|record|struct|trait|object|protocol|extension|union|namespace|message|service)\s+(\w+)/,
    },
    {
      kind: "function",
      pattern:
        /^(?:(?:public|private|protected|internal|static|final|abstract|override|open|suspend|inline)\s+)*(?:func|fun|function|def)\s+(?:&\s*)?(\w+)/,
    },
    { kind: "constant", pattern: /^#\s*define\s+(\w+)/ },
    {
      kind: "function",
      pattern: /^(?:[\w:<>,*&[\]?~@]+\s+)+[*&]*(?:\w+::)*(~?\w+)\s*\([^;=]*(?:\{|,|\)|\(|const|override|noexcept)$/,
    },
  ],
  ruby: [
    { kind: "class", pattern: /^(?:class|module|defmodule)\s+([\w:.]+)/ },
    { kind: "function", pattern: /^(?:local\s+)?(?:def|defp|function|defmacro)\s+(?:self\.)?([\w.:?!]+)/ },
    { kind: "constant", pattern: /^([A-Z]\w*)\s*=/ },
  ],
  shell: [{ kind: "function", pattern: /^(?:function\s+)?([\w-]+)\s*\(\)|^function\s+([\w-]+)|^([\w.-]+)\s*:(?!=)/ }],
  docs: [{ kind: "section", pattern: /^#{1,6}\s+(.+?)\s*#*$/ }],
  data: [{ kind: "section", pattern: /^\[+([^\]]+)\]+\s*$/ }],
  plain: [],
};

const UNDERLINE = /^([=\-~^"'#*+.`_:])\1{2,}\s*$/;
const MAX_LINE_CHARS = 400;

/** The definitions in the order of their lines; lines of more than 400 characters have none. */
export function scanDefinitions(lines: readonly string[], family: Family): Definition[] {
  const rules = RULES[family];
  const found: Definition[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (line.length < 3 || line.length > MAX_LINE_CHARS) continue;
    const indent = indentOf(line);
    if (indent < 0) continue;
    if (family === "docs" && i > 0 && indent === 0 && UNDERLINE.test(line)) {
      const title = (lines[i - 1] ?? "").trim();
      if (title !== "" && title.length <= line.trimEnd().length && !UNDERLINE.test(title))
        found.push({ kind: "section", name: title, line: i - 1, indent: 0 });
      continue;
    }
    const words = line.trimStart().trimEnd();
    for (const { pattern, kind } of rules) {
      const m = pattern.exec(words);
      if (m === null) continue;
      const name = m[1] ?? m[2] ?? m[3] ?? "";
      if (NOT_A_METHOD.test(name)) continue;
      // A constant is a definition at the top of a file, or of a class; deeper it is a local variable.
      if (kind === "constant" && indent > 4) continue;
      found.push({ kind, name, line: i, indent });
      break;
    }
  }
  return found;
}

/** Column of the first character that is no blank (a tab counts 4); -1 for an empty line. */
export function indentOf(line: string): number {
  let width = 0;
  for (let i = 0; i < line.length; i++) {
    const c = line.charCodeAt(i);
    if (c === 32) width++;
    else if (c === 9) width += 4;
    else return c === 13 ? -1 : width;
  }
  return -1;
}
