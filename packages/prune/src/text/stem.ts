// One form for words with the same meaning: plural, tense, -ize/-ization, and the abbreviations of code. English only, and
// light, because a wrong merge costs more than a missed one.

const SUFFIXES: readonly (readonly [string, string])[] = [
  ["izations", "iz"],
  ["ization", "iz"],
  ["isation", "iz"],
  ["izers", "iz"],
  ["izer", "iz"],
  ["izing", "iz"],
  ["ized", "iz"],
  ["izes", "iz"],
  ["ize", "iz"],
  ["ations", ""],
  ["ation", ""],
  ["ingly", ""],
  ["ings", ""],
  ["ing", ""],
  ["edly", ""],
  ["ed", ""],
  ["ies", "y"],
  ["es", ""],
  ["s", ""],
  ["ly", ""],
  ["ers", ""],
  ["er", ""],
  ["ors", ""],
  ["or", ""],
  ["ions", ""],
  ["ion", ""],
];

/** By their last letter, in the order above. */
const SUFFIXES_OF: ReadonlyMap<number, typeof SUFFIXES> = new Map(
  [...new Set(SUFFIXES.map(([suffix]) => suffix.charCodeAt(suffix.length - 1)))].map((last) => [
    last,
    SUFFIXES.filter(([suffix]) => suffix.charCodeAt(suffix.length - 1) === last),
  ]),
);
const NO_SUFFIXES: typeof SUFFIXES = [];

/** Abbreviations of code, and the stem of what each stands for. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  (
    "args:argument arg:argument kwargs:argument attr:attribute attrs:attribute auth:authentication bool:boolean " +
    "cfg:configuration conf:configuration config:configuration char:character cls:class cmd:command col:column " +
    "ctx:context ctxt:context cur:current curr:current db:database def:definition decl:declaration dest:destination dict:dictionary dir:directory " +
    "dirs:directory doc:document docs:document elem:element env:environment err:error exc:exception exec:execute expr:expression " +
    "ext:extension fn:function func:function fmt:format hdr:header idx:index impl:implementation img:image info:information " +
    "init:initialize int:integer iter:iterate len:length lib:library max:maximum mem:memory min:minimum msg:message " +
    "num:number obj:object op:operation opt:option opts:option param:parameter params:parameter pkg:package pos:position prev:previous " +
    "proc:process prop:property props:property ptr:pointer ref:reference regex:regexp repr:representation req:request res:response resp:response " +
    "ret:return sep:separator seq:sequence spec:specification src:source stmt:statement str:string sync:synchronous temp:temporary tmp:temporary " +
    "util:utility val:value vals:value var:variable vars:variable async:asynchronous concat:concatenate calc:calculate del:delete"
  )
    .split(" ")
    .map((pair): [string, string] => {
      const [short = "", long = ""] = pair.split(":");
      return [short, strip(long)];
    }),
);

/**
 * The stem of an English word in lower case: `retries` and `retry` have the same, and so have `config` and
 * `configuration`.
 */
export function stem(word: string): string {
  return ABBREVIATIONS.get(word) ?? strip(word);
}

function strip(word: string): string {
  let w = word;
  for (const [suffix, instead] of SUFFIXES_OF.get(w.charCodeAt(w.length - 1)) ?? NO_SUFFIXES) {
    if (w.length - suffix.length >= 3 && w.endsWith(suffix)) {
      if (suffix === "s" && w.endsWith("ss")) break;
      w = w.slice(0, -suffix.length) + instead;
      break;
    }
  }
  const last = w.charCodeAt(w.length - 1);
  if (w.length > 3 && last === 101) return w.slice(0, -1);
  // stopped → stopp → stop, but not pass, call, buzz
  if (w.length > 3 && w !== word && last === w.charCodeAt(w.length - 2) && !"lsz".includes(w.slice(-1)))
    return w.slice(0, -1);
  return w;
}
