// What the extension of a path tells about its text: the kind, and the language whose grammar may read it. Data; texts
// without such a path are judged in kind.ts and sniff-language.ts.

/** What a text is, which decides how it is cut; "matches" is the output of a search. */
export type SourceKind = "code" | "logs" | "docs" | "matches";

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  (
    "py:python pyi:python pyw:python js:javascript mjs:javascript cjs:javascript jsx:javascript ts:typescript mts:typescript cts:typescript tsx:tsx " +
    "go:go rs:rust java:java rb:ruby rake:ruby gemspec:ruby php:php cs:c-sharp c:cpp h:cpp cc:cpp cpp:cpp cxx:cpp hh:cpp hpp:cpp hxx:cpp " +
    "sh:bash bash:bash zsh:bash css:css scss:css ps1:powershell psm1:powershell ini:ini cfg:ini"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
/** Code that no grammar here reads; its look is not used to guess one of the languages above. */
const FOREIGN = new Set(
  (
    "kt kts swift scala sc lua ex exs erl hrl hs lhs ml mli fs fsi fsx clj cljs cljc edn dart groovy gradle jl r pl pm t m mm vb pas " +
    "zig nim d v sv vhd vhdl sol tf hcl proto graphql gql sql elm cr tcl awk lisp el scm rkt asm s f90 f for ada adb cmake vim " +
    "json jsonc json5 ipynb yaml yml toml xml xsd xsl svg plist html htm xhtml vue svelte astro"
  ).split(" "),
);
const PAGES = new Set("html htm xhtml".split(" "));
const DOCS = new Set("md mdx markdown rst adoc txt org".split(" "));
const LOGS = new Set("log out err jsonl ndjson".split(" "));

function extensionOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/** The language whose grammar reads files of this name, if there is one. */
export function languageOfPath(path: string | undefined): string | undefined {
  return path === undefined ? undefined : LANGUAGES.get(extensionOf(path));
}

/** Whether the path names a language that no grammar here reads. */
export function isForeignPath(path: string | undefined): boolean {
  return path !== undefined && FOREIGN.has(extensionOf(path));
}

/** The kind of text that files of this name hold; a "page" of HTML may be docs or code. */
export function kindOfPath(path: string | undefined): SourceKind | "page" | undefined {
  const extension = path === undefined ? "" : extensionOf(path);
  if (PAGES.has(extension)) return "page";
  if (LANGUAGES.has(extension) || FOREIGN.has(extension)) return "code";
  if (DOCS.has(extension)) return "docs";
  return LOGS.has(extension) ? "logs" : undefined;
}
