// The colours of code, by the file's name. The highlighter is loaded with the first text that has any; until then, and for
// other texts, a line is shown as it is.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Colour } from "./highlight.ts";

/** For other file names the highlighter is not loaded. */
const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|bash|json|ya?ml|toml|css)$/;

/** A function that returns a line with its colours. */
export function useColours(path: string | undefined): (line: string) => ComponentChildren {
  const [highlight, setHighlight] = useState<((line: string) => readonly Colour[]) | undefined>(undefined);
  const isCode = CODE.test(path ?? "");
  useEffect(() => {
    let isWanted = true;
    if (isCode)
      import("./highlight.ts").then(
        ({ createHighlighter }) => isWanted && setHighlight(() => createHighlighter(path ?? "")),
        () => {},
      );
    return () => {
      isWanted = false;
    };
  }, [path, isCode]);
  if (highlight === undefined || !isCode) return (line) => line;
  return (line) =>
    highlight(line).map(({ kind, text }, i) => (kind === "" ? text : <Piece key={i} {...{ kind, text }} />));
}

function Piece({ kind, text }: Colour) {
  return <span class={`hl-${kind}`}>{text}</span>;
}
