// The settings of an agent of opencode that is a Markdown file. Loaded when there is one: the parser is large.

import { isRecord } from "@jeeves/base";
import { parse } from "yaml";

interface AgentSettings {
  readonly agent: Readonly<Record<string, unknown>>;
  readonly fault?: string;
}

/** The front matter. Where it cannot be parsed and mentions permissions, the agent may read nothing. */
export function parseFrontMatter(text: string): AgentSettings {
  const matter = /^\uFEFF?---([^\n]*)\n([\s\S]*?)(?:\n---|$)/.exec(text);
  if (matter === null) return { agent: {} };
  const [, language = "", content = ""] = matter;
  // opencode tries again with the values of top-level keys quoted, as other clients allow colons in them.
  for (const each of [content, withQuotedValues(content)])
    try {
      if (language.trim() !== "" && language.trim() !== "yaml") break;
      const agent: unknown = parse(each, { merge: true, logLevel: "error" });
      return { agent: isRecord(agent) ? agent : {} };
    } catch {
      // The next form, or a fault.
    }
  if (!/permission|tools/.test(content)) return { agent: {} };
  return { agent: { permission: "deny" }, fault: "has front matter that is not valid YAML" };
}

function withQuotedValues(matter: string): string {
  return matter
    .split(/\r?\n/)
    .map((line) => {
      const [, key, value = ""] = /^([a-zA-Z_]\w*)\s*:\s*([^\s"'].*)$/.exec(line) ?? [];
      return key === undefined || !value.includes(":") ? line : `${key}: ${JSON.stringify(value.trim())}`;
    })
    .join("\n");
}
