// JSON as some clients read it: with comments, and commas after the last item of a list.

/** The value, or undefined where the text is not even that. */
export function parseJsonc(content: string): unknown {
  const bare = content.replace(/^\uFEFF/, "").replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  try {
    return JSON.parse(bare.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, "$1").trim() || "{}");
  } catch {
    return undefined;
  }
}
