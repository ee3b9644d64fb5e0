// A guess at the language of code without a telling path: good enough to try a grammar, which may refuse. Languages that
// no grammar here reads are told apart too, so that none is parsed as another.
import type { LineTable } from "./lines.ts";

/** Where to look: the start, the middle and the end of a text. */
const PART_CHARS = 8_000;
const SHEBANG = /^#!.*\b(python|node|bash|sh|ruby|php|zsh|lua|elixir)/;

/** What a text calls itself in its first line. */
export function saysLanguage({ text }: LineTable): string | undefined {
  if (text.startsWith("<?php")) return "php";
  const shebang = SHEBANG.exec(text.slice(0, 200))?.[1];
  if (shebang === undefined) return undefined;
  return shebang === "node" ? "javascript" : /sh$/.test(shebang) ? "bash" : shebang;
}

export function sniffLanguage(table: LineTable): string | undefined {
  return saysLanguage(table) ?? languageSigns(table).language;
}

export function languageSigns({ text }: LineTable): { readonly language: string | undefined; readonly count: number } {
  const middle = Math.max(PART_CHARS, (text.length - PART_CHARS) >> 1);
  const parts = [
    text.slice(0, PART_CHARS),
    text.slice(middle, middle + PART_CHARS),
    text.slice(middle + PART_CHARS).slice(-PART_CHARS),
  ];
  const has = (sign: RegExp): boolean => parts.some((part) => sign.test(part));
  const counts = new Map<string, number>();
  for (const { language, sign, alone } of SIGNS) {
    const count = parts.reduce((sum, part) => sum + (part.match(sign)?.length ?? 0), 0);
    counts.set(language, count > 0 && alone !== undefined && !has(alone) ? 0 : count);
  }
  const [language, count] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), ["", 2]);
  if (language === "") return { language: undefined, count: 0 };
  const countOf = (name: string) => counts.get(name) ?? 0;
  const isScript = language === "typescript" || language === "javascript";
  const mayBeGo = isScript || language === "swift";
  if (mayBeGo && GO_ALONE.test(text.slice(0, PART_CHARS)) && countOf("go") > 2) return { language: "go", count };
  // Fields and their types look alike in these; what only the one can hold decides.
  if (isScript) {
    const styles = parts.reduce((sum, part) => sum + (part.match(CSS_ALONE)?.length ?? 0), 0);
    if (styles > 2 && !has(SCRIPT_ALONE)) return { language: "css", count: styles };
    if (countOf("rust") > 2) return { language: "rust", count };
    if (countOf("c-sharp") > 2 && has(SHARP_ALONE)) return { language: "c-sharp", count };
    const isTyped = language === "typescript" || has(TYPED);
    if (isTyped) return { language: has(MARKUP) ? "tsx" : "typescript", count };
  }
  return { language, count };
}

const CSS_ALONE = /^\s*(?:[a-z]+-[a-z-]+|color|margin|padding|width|height|display|border|font): [^;{}]+;\s*$/gm;
const SCRIPT_ALONE = /^\s*(?:import|export|const|let|var|function|return)\b/m;
const GO_ALONE = /^package \w+\s*$/m;
const SHARP_ALONE =
  /^\s*(?:namespace [\w.]+\s*[;{]?\s*$|(?:public|internal|private) (?:static |sealed |readonly |override |abstract |partial )*(?:class|void|string|bool|int|struct|interface) )/m;
const TYPED =
  /^\s*(?:export )?(?:interface|type) \w+|\w\??: (?:string|number|boolean|unknown|void|Promise<)|^import type /m;
const MARKUP = /^\s*<\/[A-Za-z][\w.]*>|^\s*(?:return )?\(?<[A-Za-z][\w.]*(?: [\w-]+=[{"'].*)?\/?>\s*$/m;

interface Signs {
  readonly language: string;
  readonly sign: RegExp;
  /** Without it, the signs are those of another language. */
  readonly alone?: RegExp;
}

const SIGNS: readonly Signs[] = [
  { language: "php", sign: /<\?php|\$\w+->|\$this\b/g },
  {
    language: "python",
    sign: /^\s*(?:def \w+\(.*|class \w+.*:|from [\w.]+ import .*|import [\w.]+|elif .*:|@[\w.]+(?:\(.*)?|self\.\w+.*|except.*:)\s*$/gm,
    alone:
      /^\s*(?:(?:async )?def \w+\(.*|class \w+.*|(?:if|elif|for|while|with|try|except|else)\b.*|\).*):\s*(?:#.*)?$|^from [\w.]+ import /m,
  },
  {
    language: "rust",
    sign: /^\s*(?:pub(?:\([^)]*\))? )?(?:fn \w+|impl\b|use [\w:]+|let mut |mod \w+|struct \w+|enum \w+|match .*\{|#\[)/gm,
    alone: /\bfn \w+(?:<[^>]*>)?\(|^use [\w:]+(?:::\{|;)|^\s*let mut /m,
  },
  { language: "go", sign: /^(?:package \w+|func |import \(|type \w+ (?:struct|interface))|:=/gm },
  {
    language: "java",
    sign: /^\s*(?:package [\w.]+;|import (?:static )?[\w.*]+;|(?:public|private|protected) .*[{;])\s*$/gm,
    alone:
      /^(?:package|import) [\w.* ]+;|^\s*(?:@Override\s*$|(?:public|private|protected) (?:static |final )*[\w<>[\], ?]+ \w+\()/m,
  },
  {
    language: "c-sharp",
    sign: /^\s*(?:using [\w.]+;|namespace [\w.]+|\/\/\/ <\w+|\[\w+(?:\(.*\))?\]\s*$|(?:public|private|internal) .*(?:\{ get;|\)|class).*)$/gm,
    alone: /^\s*(?:namespace [\w.]+|using [\w.]+;|(?:public|internal|private|protected) )/m,
  },
  {
    language: "typescript",
    sign: /^\s*(?:import (?:type )?.* from |export (?:type|interface|const|function|class|async) |(?:readonly )?\w+\??: [\w<>[\]| ]+[;,]|interface \w+)/gm,
  },
  {
    language: "javascript",
    sign: /^\s*(?:const \w+ = require\(|module\.exports|(?:async )?function\*? \w*\(|(?:const|let|var) \w+ = .*|\}\);?)\s*$/gm,
  },
  {
    language: "cpp",
    sign: /^\s*(?:#\s*(?:include|define|ifdef|ifndef|endif)|template ?<|std::|(?:static |const |inline )?(?:int|void|char|bool|size_t|auto) \*?\w+\()/gm,
  },
  {
    language: "ruby",
    sign: /^\s*(?:require '|def [\w.]+[?!=]?(?:\(.*\))?\s*$|end\s*$|module [A-Z]|attr_\w+|@\w+ (?:\|\|)?= |.* do(?: \|.*\|)?\s*$)/gm,
    alone:
      /^\s*(?:def [\w.]+[?!=]?(?:\(.*\))?\s*$|module [A-Z][\w:]*\s*$|class [A-Z][\w:]*(?: < .*)?\s*$|require(?:_relative)? ['"]|.* do \|.*\|\s*$|attr_\w+ )/m,
  },
  { language: "bash", sign: /^\s*(?:if \[|fi\s*$|done\s*$|echo |export \w+=|\w+\(\) ?\{|esac)/gm },
  {
    language: "kotlin",
    sign: /^(?:import [\w.]+|package [\w.]+|\s*(?:(?:public|private|internal|protected|override|open|suspend|inline|operator|abstract|data|sealed|inner|const|@\w+) )*(?:fun (?:<.*> )?[\w.`<>?]+\(.*|(?:companion )?object\b.*\{|va[lr] \w+(?::.*)?(?: (?:=|by) .*)?|class \w+.*|when \(.*\) \{|\}))\s*$/gm,
    alone:
      /^\s*(?:(?:public|private|internal|protected|override|open|suspend|inline|operator|abstract|infix|actual|expect) )*fun (?:<[^>]*> )?[\w.`<>?]+\(|^\s*(?:data|sealed) (?:class|interface) \w/m,
  },
  {
    language: "scala",
    sign: /^(?:import [\w.{}, =>*_]+|package [\w.]+|\s*(?:(?:override|private|protected|implicit|final|lazy|sealed|case|inline)(?:\[\w+\])? )*(?:def \w+.*|object \w+.*|trait \w+.*|class \w+.*|case .* =>.*|va[lr] \w+.*|\}))\s*$/gm,
    alone:
      /^\s*(?:(?:override|private|protected|implicit|final|inline)(?:\[\w+\])? )*def \w+[^\n=]*(?:= |=$|\{$)|^\s*(?:sealed )?trait \w+|^\s*case class \w/m,
  },
  {
    language: "swift",
    sign: /^(?:import \w+|\s*(?:(?:public|private|internal|fileprivate|open|static|final|override|mutating|class|@\w+) )*(?:func \w+.*|guard .*|if let .*|let \w+.*|var \w+.*|init\??\(.*|extension \w+.*|protocol \w+.*|struct \w+.*|enum \w+.*|case \.?\w+.*|\}|\/\/\/.*))\s*$/gm,
    alone:
      /^\s*(?:(?:public|private|internal|fileprivate|open|static|final|override|mutating) )*func \w+.*(?:->.*|\{|\()\s*$|^\s*guard .* else \{|^(?:public )?(?:extension|protocol) \w+.*\{\s*$/m,
  },
  {
    language: "lua",
    sign: /^\s*(?:local (?:function )?\w+.*|function [\w.:]+\s*\(.*\)|.*\bthen\s*$|.* do\s*$|end[),]*\s*$|--.*|return .*)\s*$/gm,
    alone: /^\s*local (?:function \w+|\w+(?:, ?\w+)* = )|^\s*function [\w.:]+\s*\([^)]*\)\s*$/m,
  },
  {
    language: "elixir",
    sign: /^\s*(?:defp? \w+.*|defm\w+ .*|use [A-Z].*|alias [A-Z].*|import [A-Z].*|@\w+ .*|\|> .*|.* do\s*$|.* ->\s*$|end\)?\s*$)\s*$/gm,
    alone:
      /^\s*(?:defmodule [\w.]+ do|defp? \w+.*(?: do|, do: .*|,)|@(?:doc|moduledoc|spec) .*|use [A-Z][\w.]*.*)\s*$/m,
  },
];
