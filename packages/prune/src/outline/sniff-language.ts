// Guesses the language of code whose path does not name it: good enough to try a grammar, which may refuse. Languages that no
// grammar here reads are recognised, too, so that none is parsed as another.
import type { LineTable } from "../text/lines.ts";
import { isForeignPath, languageOfPath } from "./extensions.ts";

/** Where to look: the start, the middle and the end of a text. */
const PART_CHARS = 8_000;
const SHEBANG = /^#!.*\b(python|node|bash|sh|ruby|php|zsh|lua|elixir)/;

/** The language that a text declares in its first line, by `<?php` or `#!`. */
export function declaredLanguage({ text }: LineTable): string | undefined {
  if (text.startsWith("<?php")) return "php";
  const shebang = SHEBANG.exec(text.slice(0, 200))?.[1];
  if (shebang === undefined) return undefined;
  return shebang === "node" ? "javascript" : /sh$/.test(shebang) ? "bash" : shebang;
}

/** The language whose grammar may read a text: by its path, else by its look. */
export function languageOf(table: LineTable, path: string | undefined): string | undefined {
  return isForeignPath(path) ? undefined : (languageOfPath(path) ?? sniffLanguage(table));
}

/** The language of a text by its first line, else by its signs. */
export function sniffLanguage(table: LineTable): string | undefined {
  return declaredLanguage(table) ?? languageSigns(table).language;
}

interface Guess {
  readonly language: string | undefined;
  /** How many signs of it there are. */
  readonly count: number;
}

// Whether a text is code at all is asked first, and then in which language.
const guesses = new WeakMap<LineTable, Guess>();

/** The language with the most signs in a text, remembered for each text. */
export function languageSigns(table: LineTable): Guess {
  const guess = guesses.get(table) ?? guessLanguage(table);
  guesses.set(table, guess);
  return guess;
}

function guessLanguage({ text }: LineTable): Guess {
  const middle = Math.max(PART_CHARS, (text.length - PART_CHARS) >> 1);
  const parts = [
    text.slice(0, PART_CHARS),
    text.slice(middle, middle + PART_CHARS),
    text.slice(middle + PART_CHARS).slice(-PART_CHARS),
  ];
  const has = (sign: RegExp): boolean => parts.some((part) => sign.test(part));
  const counts = new Map<string, number>();
  for (const { language, sign, alone, hint } of SIGNS) {
    if ((hint !== undefined && !has(hint)) || (alone !== undefined && !has(alone))) continue;
    counts.set(
      language,
      parts.reduce((sum, part) => sum + (part.match(sign)?.length ?? 0), 0),
    );
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

const CSS_ALONE =
  /^[ \t]*(?:[a-z]+-[a-z-]+|color|margin|padding|width|height|display|border|font): [^;{}]+;[ \t\r]*$/gm;
const SCRIPT_ALONE = /^[ \t]*(?:import|export|const|let|var|function|return)\b/m;
const GO_ALONE = /^package \w+[ \t\r]*$/m;
const SHARP_ALONE =
  /^[ \t]*(?:namespace [\w.]+[ \t]*[;{]?[ \t\r]*$|(?:public|internal|private) (?:static |sealed |readonly |override |abstract |partial )*(?:class|void|string|bool|int|struct|interface) )/m;
const TYPED =
  /^[ \t]*(?:export )?(?:interface|type) \w+|\w\??: (?:string|number|boolean|unknown|void|Promise<)|^import type /m;
const MARKUP = /^[ \t]*<\/[A-Za-z][\w.]*>|^[ \t]*(?:return )?\(?<[A-Za-z][\w.]*(?: [\w-]+=[{"'].*)?\/?>[ \t\r]*$/m;

interface Signs {
  readonly language: string;
  readonly sign: RegExp;
  /** Without it, the signs are those of another language. */
  readonly alone?: RegExp;
  /** All that `alone` matches holds a match of this, which is found several times faster. */
  readonly hint?: RegExp;
}

const SIGNS: readonly Signs[] = [
  { language: "php", sign: /<\?php|\$\w+->|\$this\b/g },
  {
    language: "python",
    sign: /^[ \t]*(?:def \w+\(.*|class \w+.*:|from [\w.]+ import .*|import [\w.]+|elif .*:|@[\w.]+(?:\(.*)?|self\.\w+.*|except.*:)[ \t\r]*$/gm,
    alone:
      /^[ \t]*(?:(?:async )?def \w+\(.*|class \w+.*|(?:if|elif|for|while|with|try|except|else)\b.*|\).*):[ \t]*(?:#.*)?$|^from [\w.]+ import /m,
    hint: /:[ \t]*(?:#.*)?$|\bfrom [\w.]+ import /m,
  },
  {
    language: "rust",
    sign: /^[ \t]*(?:pub(?:\([^)]*\))? )?(?:fn \w+|impl\b|use [\w:]+|let mut |mod \w+|struct \w+|enum \w+|match .*\{|#\[)/gm,
    alone: /\bfn \w+(?:<[^>]*>)?\(|^use [\w:]+(?:::\{|;)|^[ \t]*let mut /m,
    hint: /\bfn \w|\buse [\w:]+(?:::\{|;)|\blet mut /,
  },
  { language: "go", sign: /^(?:package \w+|func |import \(|type \w+ (?:struct|interface))|:=/gm },
  {
    language: "java",
    sign: /^[ \t]*(?:package [\w.]+;|import (?:static )?[\w.*]+;|(?:public|private|protected) .*[{;])[ \t\r]*$/gm,
    alone:
      /^(?:package|import) [\w.* ]+;|^[ \t]*(?:@Override[ \t\r]*$|(?:public|private|protected) (?:static |final )*[\w<>[\], ?]+ \w+\()/m,
    hint: /\b(?:package|import) [\w.* ]+;|@Override|\b(?:public|private|protected) /,
  },
  {
    language: "c-sharp",
    sign: /^[ \t]*(?:using [\w.]+;|namespace [\w.]+|\/\/\/ <\w+|\[\w+(?:\(.*\))?\][ \t\r]*$|(?:public|private|internal) .*(?:\{ get;|\)|class).*)$/gm,
    alone: /^[ \t]*(?:namespace [\w.]+|using [\w.]+;|(?:public|internal|private|protected) )/m,
  },
  {
    language: "typescript",
    sign: /^[ \t]*(?:import (?:type )?.* from |export (?:type|interface|const|function|class|async) |(?:readonly )?\w+\??: [\w<>[\]| ]+[;,]|interface \w+)/gm,
  },
  {
    language: "javascript",
    sign: /^[ \t]*(?:module\.exports|exports\.\w+ = .*|constructor\(.*\) \{|(?:async )?function\*? \w*\(|(?:const|let|var) (?:\w+|\{.*\}) = .*|\}\);?)[ \t\r]*$/gm,
  },
  {
    language: "cpp",
    sign: /^[ \t]*(?:#[ \t]*(?:include|define|ifdef|ifndef|endif)|template ?<|std::|(?:static |const |inline )?(?:int|void|char|bool|size_t|auto) \*?\w+\()/gm,
  },
  {
    language: "ruby",
    sign: /^[ \t]*(?:require '|def [\w.]+[?!=]?(?:\(.*\))?[ \t\r]*$|end[ \t\r]*$|module [A-Z]|attr_\w+|@\w+ (?:\|\|)?= )|^.* do(?: \|.*\|)?[ \t\r]*$/gm,
    alone:
      /^[ \t]*(?:def [\w.]+[?!=]?(?:\(.*\))?[ \t\r]*$|module [A-Z][\w:]*[ \t\r]*$|class [A-Z][\w:]*(?: < .*)?[ \t\r]*$|require(?:_relative)? ['"]|attr_\w+ )|^.* do \|.*\|[ \t\r]*$/m,
  },
  { language: "bash", sign: /^[ \t]*(?:if \[|fi[ \t\r]*$|done[ \t\r]*$|echo |export \w+=|\w+\(\) ?\{|esac)/gm },
  {
    language: "kotlin",
    sign: /^(?:import [\w.]+|package [\w.]+|[ \t]*(?:(?:public|private|internal|protected|override|open|suspend|inline|operator|abstract|data|sealed|inner|const|@\w+) )*(?:fun (?:<.*> )?[\w.`<>?]+\(.*|(?:companion )?object\b.*\{|va[lr] \w+(?::.*)?(?: (?:=|by) .*)?|class \w+.*|when \(.*\) \{|\}))[ \t\r]*$/gm,
    alone:
      /^[ \t]*(?:(?:public|private|internal|protected|override|open|suspend|inline|operator|abstract|infix|actual|expect) )*fun (?:<[^>]*> )?[\w.`<>?]+\(|^[ \t]*(?:data|sealed) (?:class|interface) \w/m,
    hint: /\bfun \S|\b(?:data|sealed) (?:class|interface) \w/,
  },
  {
    language: "scala",
    sign: /^(?:import [\w.{}, =>*_]+|package [\w.]+|[ \t]*(?:(?:override|private|protected|implicit|final|lazy|sealed|case|inline)(?:\[\w+\])? )*(?:def \w+.*|object \w+.*|trait \w+.*|class \w+.*|case .* =>.*|va[lr] \w+.*|\}))[ \t\r]*$/gm,
    alone:
      /^[ \t]*(?:(?:override|private|protected|implicit|final|inline)(?:\[\w+\])? )*def \w+[^\n=]*(?:= |=$|\{$)|^[ \t]*(?:sealed )?trait \w+|^[ \t]*case class \w/m,
    hint: /\bdef \w|\btrait \w|\bcase class \w/,
  },
  {
    language: "swift",
    sign: /^(?:import \w+|[ \t]*(?:(?:public|private|internal|fileprivate|open|static|final|override|mutating|class|@\w+) )*(?:func \w+.*|guard .*|if let .*|let \w+.*|var \w+.*|init\??\(.*|extension \w+.*|protocol \w+.*|struct \w+.*|enum \w+.*|case \.?\w+.*|\}|\/\/\/.*))[ \t\r]*$/gm,
    alone:
      /^[ \t]*(?:(?:public|private|internal|fileprivate|open|static|final|override|mutating) )*func \w+.*(?:->.*|\{|\()[ \t\r]*$|^[ \t]*guard .* else \{|^(?:public )?(?:extension|protocol) \w+.*\{[ \t\r]*$/m,
    hint: /\bfunc \w|\bguard .* else \{|\b(?:extension|protocol) \w/,
  },
  {
    language: "lua",
    sign: /^[ \t]*(?:local (?:function )?\w+.*|function [\w.:]+[ \t]*\(.*\)|end[),]*|--.*|return .*)[ \t\r]*$|^.* (?:then|do)[ \t\r]*$/gm,
    alone: /^[ \t]*local (?:function \w+|\w+(?:, ?\w+)* = )|^[ \t]*function [\w.:]+[ \t]*\([^)]*\)[ \t\r]*$/m,
  },
  {
    language: "elixir",
    sign: /^[ \t]*(?:defp? \w+.*|defm\w+ .*|use [A-Z].*|alias [A-Z].*|import [A-Z].*|@\w+ .*|\|> .*|end\)?)[ \t\r]*$|^.* (?:do|->)[ \t\r]*$/gm,
    alone:
      /^[ \t]*(?:defmodule [\w.]+ do|defp? \w+.*(?: do|, do: .*|,)|@(?:doc|moduledoc|spec) .*|use [A-Z][\w.]*.*)[ \t\r]*$/m,
    hint: /\bdef(?:p|module)? [\w.]|@(?:doc|moduledoc|spec) |\buse [A-Z]/,
  },
];
