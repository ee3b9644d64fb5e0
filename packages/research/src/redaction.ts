// Secrets out of everything that leaves: quotes, questions, artefacts. The rules are loaded with the first use.

export type Redact = (text: string) => Promise<string>;

export function createRedact(): Redact {
  let loading: Promise<(text: string) => string> | undefined;
  return async (text) => {
    loading ??= import("@jeeves/workspace/redact").then(({ createRedactor }) => createRedactor());
    return (await loading)(text);
  };
}
