// Secrets out of everything that leaves. There are two doors, and both redact: the reader, for whatever is quoted, and
// the start of a question, for whatever is said of it. The rules are loaded with the first use.

/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

export type Redact = (text: string) => Promise<string>;

export function createRedact(): Redact {
  let loading: Promise<(text: string) => string> | undefined;
  return async (text) => {
    loading ??= import("@jeeves/workspace/redact").then(({ createRedactor }) => createRedactor());
    return (await loading)(text);
  };
}
