// What a document is made of, read apart from the engine so that the two can disagree: sections, fences, tables.
const MARKDOWN = /^#{1,6}\s+(.+?)\s*#*$/;
const ASCIIDOC = /^={1,5}\s+(.+)$/;
const UNDERLINE = /^([=\-~^"'*+#`])\1{3,}\s*$/;

/** Code: fenced, delimited (AsciiDoc), or indented under a directive or `::` (reStructuredText). */
export function fencesOf(lines) {
  const fences = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = /^\s*(?:[-*+] |\d+\. )?\s*(`{3,}|~{3,})[^`]*$/.exec(lines[i])?.[1];
    if (fence !== undefined && !isTitleRule(lines, i)) {
      let last = i + 1;
      while (last < lines.length && !(lines[last].trim().startsWith(fence) && /^[`~]+$/.test(lines[last].trim())))
        last++;
      fences.push({ first: i, last: Math.min(last, lines.length - 1) });
      i = last;
      continue;
    }
    if (/^\s*\.\. (?:code-block|code|sourcecode|literalinclude|ipython|parsed-literal)::/.test(lines[i])) {
      const own = indentOf(lines[i]);
      let last = i;
      for (let j = i + 1; j < lines.length; j++) {
        if (lines[j].trim() === "") continue;
        if (indentOf(lines[j]) <= own) break;
        last = j;
      }
      if (last > i) fences.push({ first: i, last });
      i = last;
    }
  }
  return fences;
}

export function tablesOf(lines) {
  const tables = [];
  for (let i = 0; i + 1 < lines.length; i++) {
    if (!/^\s*\|.*\|\s*$/.test(lines[i]) || !/^\s*\|[\s:|-]+\|\s*$/.test(lines[i + 1])) continue;
    let last = i + 1;
    while (last + 1 < lines.length && /^\s*\|.*\|\s*$/.test(lines[last + 1])) last++;
    tables.push({ first: i, last, head: i + 1 });
    i = last;
  }
  return tables;
}

/** `bodyEnd` is the line before the next heading of any level. */
export function sectionsOf(lines) {
  const inFence = new Uint8Array(lines.length);
  for (const { first, last } of fencesOf(lines)) inFence.fill(1, first, last + 1);
  const found = [];
  for (let i = 0; i < lines.length; i++) {
    if (inFence[i]) continue;
    const title = (MARKDOWN.exec(lines[i]) ?? ASCIIDOC.exec(lines[i]))?.[1];
    if (title !== undefined) found.push({ first: i, last: i, title });
    else if (/^[A-Za-z`*_:]/.test(lines[i]) && i + 1 < lines.length && !inFence[i + 1]) {
      const isUnder = UNDERLINE.test(lines[i + 1]) && lines[i + 1].trimEnd().length >= lines[i].trimEnd().length;
      const opens = i === 0 || lines[i - 1].trim() === "" || UNDERLINE.test(lines[i - 1]);
      if (isUnder && opens) found.push({ first: i, last: i + 1, title: lines[i].trim() });
    }
  }
  return found.map((section, k) => ({ ...section, bodyEnd: (found[k + 1]?.first ?? lines.length) - 1 }));
}

/** reStructuredText underlines titles with the marks that fence code elsewhere. */
function isTitleRule(lines, i) {
  const title = lines[i - 1]?.trimEnd() ?? "";
  return (
    UNDERLINE.test(lines[i]) && /^\S/.test(title) && lines[i].trimEnd().length >= title.length && !lines[i - 2]?.trim()
  );
}

function indentOf(line) {
  return line.length - line.trimStart().length;
}
