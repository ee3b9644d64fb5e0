// A text to try the cut on: a test run with one failure in its middle, made here so that nothing is fetched.

/** The question for the sample. */
export const SAMPLE_FOCUS = "why does the login test fail?";
/** The sample's file name, from which its kind is guessed. */
export const SAMPLE_NAME = "test-run.log";

const SUITES = "address cart catalog checkout coupon login mail orders profile search session shipping stock tax".split(
  " ",
);
const PARTS = ["unit", "http", "store", "page", "mail", "jobs"];
const CHECKS = ["renders empty", "keeps its order", "rounds to cents", "refuses a bad id", "survives a reload"];

/** About 450 lines, the same each time. */
export function sampleText(): string {
  const lines = ["> shop@4.2.0 test", "> vitest run", "", " RUN  v4.1.12 /srv/shop", ""];
  let ms = 3;
  for (const suite of SUITES) {
    for (const part of PARTS) {
      for (const check of CHECKS) {
        ms = (ms * 7 + 11) % 97;
        const isFailing = suite === "login" && part === "http" && check === "refuses a bad id";
        lines.push(` ${isFailing ? "×" : "✓"} test/${suite}/${part}.test.ts > ${suite} ${check} ${ms}ms`);
      }
    }
  }
  lines.push(
    "",
    "⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯",
    "",
    " FAIL  test/login/http.test.ts > login refuses a bad id",
    "AssertionError: expected 500 to be 401 // Object.is equality",
    "",
    "- Expected",
    "+ Received",
    "",
    "- 401",
    "+ 500",
    "",
    " ❯ test/login/http.test.ts:48:28",
    "     46|     const answer = await post('/login', { id: 'not-a-uuid' });",
    "     47|",
    "     48|     expect(answer.status).toBe(401);",
    "       |                           ^",
    "     49|   });",
    "",
    "Caused by: TypeError: Cannot read properties of undefined (reading 'passwordHash')",
    " ❯ verifyPassword src/login/verify.ts:21:34",
    "",
    " Test Files  1 failed | 83 passed (84)",
    "      Tests  1 failed | 419 passed (420)",
    "   Duration  4.18s",
    "",
  );
  return lines.join("\n");
}
