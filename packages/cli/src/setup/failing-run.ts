// A made-up run of a test suite in which one test fails: for `jeeves demo`, and for the cut that set-up shows.

/** The name of the test that fails. */
export const FAILURE = "login sets the session cookie";

/** What the run prints, in TAP. `failing` is the number of the test that fails. */
export function failingRun({ cases, failing }: { readonly cases: number; readonly failing: number }): string {
  const failure = [
    `not ok ${failing} - ${FAILURE}`,
    "  ---",
    "  message: expected 'Secure' in the cookie, got 'HttpOnly'",
    "  at: test/login.test.js:42:7",
    "  ...",
  ];
  const lines = Array.from({ length: cases }, (_, index) =>
    index + 1 === failing ? failure : [`ok ${index + 1} - case ${index + 1} of the suite passes`],
  );
  return `${["TAP version 13", ...lines.flat(), `1..${cases}`, `# pass ${cases - 1}`, "# fail 1"].join("\n")}\n`;
}
