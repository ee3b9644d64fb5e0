// Which lines an answer shows, and how many of the decisive ones are among them. Blank lines and lone brackets decide
// nothing and are not counted.

const NUMBERED = /^ *(\d+)(?:[ :|\t])(.*)$/;
const TRIVIAL = /^[\s{}()[\];,]*$/;

/** Every numbered line of the bodies: its file, its number and its text. */
export function shownBy(evidence) {
  const lines = [];
  for (const { reference, text } of evidence) {
    const path = pathOf(reference);
    for (const line of text.split("\n")) {
      const m = NUMBERED.exec(line);
      if (m !== null) lines.push({ path, line: Number(m[1]), text: m[2] });
    }
  }
  return { lines, keys: new Set(lines.map(({ path, line }) => `${path}:${line}`)) };
}

/** The share of the decisive lines that was shown; blank lines and lone brackets do not count. */
export function decisiveShare(decisive, keys) {
  let all = 0;
  let found = 0;
  for (const {
    path,
    lines: [from, to],
    source,
  } of decisive) {
    for (let line = from; line <= to; line++) {
      if (TRIVIAL.test(source[line - 1] ?? "")) continue;
      all++;
      if (keys.has(`${path}:${line}`)) found++;
    }
  }
  return all === 0 ? 0 : found / all;
}

/** Every `path:line` that the answer prints as a reference, repeats included. */
export function referencesOf(answer) {
  const roles = ["locator", "analyzer", "patterns"].flatMap((role) => answer[role]?.value?.references ?? []);
  const evidence = (answer.evidence ?? []).map(({ reference }) => reference);
  return [...evidence, ...roles, ...answer.synthesis.references];
}

export function pathOf(reference) {
  return reference.replace(/:\d+(?::\d+)?$/, "");
}
