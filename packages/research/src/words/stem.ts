// One form for the words that mean the same: plural, tense, and the short forms that code uses. English only, light on
// purpose: a wrong merge costs a wrong file, a missed one only a little score.

const ENDINGS: readonly (readonly [string, string])[] = [
  ["izations", "iz"],
  ["isations", "iz"],
  ["ization", "iz"],
  ["isation", "iz"],
  ["izing", "iz"],
  ["ising", "is"],
  ["izer", "iz"],
  ["ized", "iz"],
  ["izes", "iz"],
  ["ize", "iz"],
  ["ations", ""],
  ["ation", ""],
  ["ements", ""],
  ["ement", ""],
  ["ings", ""],
  ["ing", ""],
  ["edly", ""],
  ["ed", ""],
  ["ies", "y"],
  ["ions", ""],
  ["ion", ""],
  ["ers", ""],
  ["ors", ""],
  ["er", ""],
  ["or", ""],
  ["es", ""],
  ["s", ""],
  ["ly", ""],
];

const SHORT_FORMS =
  "arg:argument args:argument kwargs:argument attr:attribute attrs:attribute auth:authentication bool:boolean cfg:configuration " +
  "conf:configuration config:configuration char:character cmd:command cls:class col:column cols:column coord:coordinate coords:coordinate " +
  "ctx:context cur:current curr:current db:database decl:declaration def:definition dest:destination dict:dictionary diff:difference " +
  "dim:dimension dims:dimension dir:directory dirs:directory doc:document docs:document docstring:document elem:element env:environment " +
  "err:error errs:error eval:evaluate exc:exception exec:execute expr:expression ext:extension fmt:format fn:function func:function funcs:function " +
  "gen:generate hdr:header ids:id idx:index img:image impl:implementation info:information init:initialize int:integer iter:iterate json:json " +
  "len:length lib:library loc:location max:maximum mem:memory min:minimum mod:module msg:message num:number obj:object op:operator ops:operator " +
  "opt:option opts:option orig:original param:parameter params:parameter pkg:package pos:position prev:previous proc:process prop:property " +
  "props:property ptr:pointer ref:reference refs:reference regex:regexp repr:representation req:request res:response resp:response " +
  "ret:return sep:separator seq:sequence spec:specification src:source srv:server stmt:statement str:string sync:synchronous async:asynchronous " +
  "sys:system tmp:temporary temp:temporary tok:token util:utility utils:utility val:value vals:value var:variable vars:variable ver:version " +
  "concat:concatenate calc:calculate del:delete dtype:type";

const LONG_OF: ReadonlyMap<string, string> = new Map(
  SHORT_FORMS.split(" ").map((pair): [string, string] => {
    const [short = "", long = ""] = pair.split(":");
    return [short, withoutEnding(long)];
  }),
);

export function stem(word: string): string {
  return LONG_OF.get(word) ?? withoutEnding(word);
}

function withoutEnding(word: string): string {
  let base = word;
  for (const [ending, instead] of ENDINGS) {
    if (base.length - ending.length < 3 || !base.endsWith(ending)) continue;
    if (ending === "s" && base.endsWith("ss")) break;
    base = base.slice(0, -ending.length) + instead;
    break;
  }
  if (base.length > 3 && base.endsWith("e")) return base.slice(0, -1);
  const last = base.at(-1) ?? "";
  // mapped → mapp → map, but pass, call and buzz keep their double letter
  if (base.length > 3 && base !== word && last === base.at(-2) && !"lsz".includes(last)) return base.slice(0, -1);
  return base;
}
