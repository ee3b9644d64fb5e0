// The options of `create` as a request; `--description -` is read from stdin.
import type { CreateRequest } from "../../tasks/artefacts/create.ts";
import { readTexts } from "../read-text.ts";
import type { Session } from "../session.ts";

/** What the options say; refuses `-` where there is no input to read. */
export async function toCreateRequest(
  options: Readonly<Record<string, unknown>>,
  session: Pick<Session, "readInput">,
): Promise<Omit<CreateRequest, "kind" | "title" | "parent">> {
  const word = (name: string) => (typeof options[name] === "string" ? { [name]: options[name] } : {});
  const texts = await readTexts(session, { description: options.description });
  return {
    ...word("effort"),
    ...word("priority"),
    ...word("milestone"),
    ...texts,
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
