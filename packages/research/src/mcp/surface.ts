// What a model reads of this server before it asks anything: paid for on every turn (X-53: at most 1,000 tokens in all).
import type { ToolDefinition } from "@jeeves/kit/mcp";

export const INSTRUCTIONS =
  "Answers questions about local code bases in a few hundred tokens, with checked path:line references. Start with " +
  "research_codebase and one full question; ask follow-ups with the names it gave you. Nothing is changed.";

const string = { type: "string" };
const whole = { type: "integer", minimum: 1 };
const roots = { type: "array", items: string, description: "Only these (see list_roots)" };
const constraints = {
  type: "object",
  properties: {
    maxFilesRead: whole,
    maxBytesRead: whole,
    deadlineMs: whole,
    maxTokens: whole,
    maxConcurrentTasks: whole,
  },
  additionalProperties: false,
};
const artifactPath = { type: "string", description: "A .md file inside the artefact directory" };

type Surface = Pick<ToolDefinition, "name" | "description" | "inputSchema" | "annotations">;
const readOnly = { readOnlyHint: true };

/** The limits are spelled out once; every other tool takes the same. */
const sameConstraints = { type: "object", description: "As in research_codebase" };

const asking = (name: string, description: string, about: string, more: Record<string, unknown> = {}): Surface => ({
  name,
  description,
  annotations: readOnly,
  inputSchema: {
    type: "object",
    properties: { question: { type: "string", description: about }, roots, constraints: sameConstraints, ...more },
    required: ["question"],
  },
});

export const pingSurface: Surface = {
  name: "ping",
  description: "Check that the server is there; answers pong.",
  annotations: readOnly,
  inputSchema: { type: "object" },
};

export const listRootsSurface: Surface = {
  name: "list_roots",
  description: "List the directories that may be searched.",
  annotations: readOnly,
  inputSchema: { type: "object" },
};

/** `research_codebase` as `tools/list` shows it; the only tool that spells out the constraints. */
export const researchSurface = asking(
  "research_codebase",
  "Research code base: how, where or why does something work here? A short answer with path:line references, instead of many searches and reads.",
  "A full question, with names if you know them",
  {
    constraints,
    artifact: {
      description: "true or {path}: also write it as a memo",
      anyOf: [{ type: "boolean" }, { type: "object" }],
    },
  },
);

export const locateSurface = asking(
  "locate_in_codebase",
  "Locate files for a feature: implementation, tests, config, docs, types, entry points.",
  "What to locate",
);

export const patternsSurface = asking(
  "find_patterns",
  "Find 2 to 6 differing examples of how something is done here.",
  "The pattern",
);

export const analyzeSurface = asking(
  "analyze_component",
  "Analyze component: traced flow notes with quotes and references.",
  "The component",
);

/** `create_handoff` as `tools/list` shows it; the only tool that always writes a file. */
export const createHandoffSurface: Surface = {
  ...asking(
    "create_handoff",
    "Create handoff: research a question and write the memo to a file.",
    "What to hand over",
    { path: artifactPath },
  ),
  annotations: { readOnlyHint: false, destructiveHint: false },
};

export const resumeHandoffSurface: Surface = {
  name: "resume_handoff",
  description:
    "Resume handoff: read a memo again; each reference is checked, what moved is found, what is gone is marked.",
  annotations: readOnly,
  inputSchema: { type: "object", properties: { path: artifactPath }, required: ["path"] },
};
