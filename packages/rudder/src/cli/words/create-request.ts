// The options of `create` as a request; `--description -` is read from stdin.
import { RudderError } from "../../rudder-error.ts";
import type { CreateRequest } from "../../tasks/artefacts/create.ts";

/** What the options say; refuses `-` where there is no input to read. */
export async function toCreateRequest(
  options: Readonly<Record<string, unknown>>,
  readInput: (() => Promise<string>) | undefined,
): Promise<Omit<CreateRequest, "kind" | "title" | "parent">> {
  const word = (name: string) => (typeof options[name] === "string" ? { [name]: options[name] } : {});
  const description = typeof options.description === "string" ? options.description : undefined;
  if (description === "-" && readInput === undefined) {
    throw new RudderError("invalid_argument", "--description - reads stdin, and there is none here", {
      hint: '--description "the text itself"',
    });
  }
  const text = description === "-" ? await readInput?.() : description;
  return {
    ...word("effort"),
    ...word("priority"),
    ...word("milestone"),
    ...(text === undefined ? {} : { description: text }),
    blockedBy: toWords(options.blockedBy),
    tags: toWords(options.tag),
    targets: Object.fromEntries(
      Object.entries(Object(options.target)).map(([name, version]) => [name, String(version)]),
    ),
  };
}

function toWords(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
