// A small highlighter, line by line: strings, comments, numbers and the words that most languages share. It parses no
// grammar: lines are highlighted one at a time and in any order, and a missing colour does no harm.

/** A piece of a line; "" has no colour of its own. */
export interface Colour {
  readonly kind: "" | "comment" | "string" | "number" | "word" | "name";
  readonly text: string;
}

const HASH_COMMENTS = /\.(?:py|rb|sh|bash|ya?ml|toml)$/;
const WORDS =
  "abstract|as|async|await|break|case|catch|chan|class|const|continue|def|default|defer|del|do|elif|else|enum|except|export|" +
  "extends|extern|fallthrough|false|final|finally|fn|for|from|func|function|get|go|goto|if|impl|implements|import|in|" +
  "instanceof|interface|is|lambda|let|loop|match|mod|module|move|mut|namespace|new|nil|None|not|null|or|and|override|package|" +
  "pass|private|protected|pub|public|raise|readonly|ref|return|select|self|set|static|struct|super|switch|this|throw|throws|" +
  "trait|true|True|False|try|type|typeof|undefined|unsafe|use|using|val|var|void|where|while|with|yield";
const STRING = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`?/.source;
const NUMBER = /\b(?:0x[\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)\b/.source;
const NAME = /\b[A-Za-z_$][\w$]*(?=\()/.source;
/** Longer lines get no colours: they are not code to be read. */
const MAX_CHARS = 1_000;

/** The pieces of a line, which together are the line. */
export function createHighlighter(path: string): (line: string) => readonly Colour[] {
  const comment = HASH_COMMENTS.test(path) ? /#.*$/.source : /\/\/.*$|\/\*.*?(?:\*\/|$)|^\s*\*(?:\s.*)?$/.source;
  const pieces = new RegExp(`(${comment})|(${STRING})|(${NUMBER})|\\b(${WORDS})\\b|(${NAME})`, "g");
  const kinds = ["comment", "string", "number", "word", "name"] as const;
  return (line) => {
    if (line.length > MAX_CHARS) return [{ kind: "", text: line }];
    const found: Colour[] = [];
    let at = 0;
    for (const match of line.matchAll(pieces)) {
      const text = match[0];
      const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)];
      if (text === "" || kind === undefined) continue;
      if (match.index > at) found.push({ kind: "", text: line.slice(at, match.index) });
      found.push({ kind, text });
      at = match.index + text.length;
    }
    if (at < line.length || found.length === 0) found.push({ kind: "", text: line.slice(at) });
    return found;
  };
}
