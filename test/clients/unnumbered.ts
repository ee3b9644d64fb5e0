// Claude Code numbers what its Read is given; our own numbers stand behind its.

/** What was given to Claude Code, without its numbers and its reminders. */
export function unnumbered(shown: string): string {
  return shown
    .replace(/^<system-reminder>.*<\/system-reminder>\n+/, "")
    .replace(/\n<system-reminder>[\s\S]*$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\d+\t/, ""))
    .join("\n");
}
