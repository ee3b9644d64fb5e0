// The server of this package as a value: eight tools over one researcher. Every answer is JSON text, checked against its
// schema before it is sent (C-15).
import { VERSION } from "@jeeves/base";
import {
  defineTool,
  type Profile,
  type ToolCall,
  type ToolDefinition,
  type ToolOutcome,
  type ToolRefusal,
} from "@jeeves/kit/mcp";
import type { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import {
  componentReport,
  handoffReport,
  locateReport,
  patternsReport,
  researchReport,
  resumeReport,
  rootsReport,
} from "../report/schema.ts";
import type { Asked } from "../research.ts";
import { ResearchError } from "../research-error.ts";
import type { Researcher } from "../researcher.ts";
import {
  type AskArguments,
  askArguments,
  createHandoffArguments,
  nothing,
  researchArguments,
  resumeHandoffArguments,
} from "./arguments.ts";
import {
  analyzeSurface,
  createHandoffSurface,
  INSTRUCTIONS,
  listRootsSurface,
  locateSurface,
  patternsSurface,
  pingSurface,
  researchSurface,
  resumeHandoffSurface,
} from "./surface.ts";

const INVALID_PARAMS = -32_602;

type Answer = Promise<ToolOutcome | ToolRefusal>;

/** The profile on one researcher. A ResearchError becomes a tool error with its code; any other is an internal error. */
export function createProfile(researcher: Researcher): Profile {
  return {
    name: manifest.name,
    version: VERSION,
    instructions: INSTRUCTIONS,
    unknownTool: "invalid_params",
    tools: toolsOf(researcher),
  };
}

function toolsOf(researcher: Researcher): ToolDefinition[] {
  const ask = (
    tool: string,
    args: AskArguments,
    call: ToolCall,
    run: (asked: Asked) => Promise<object>,
    schema: z.ZodType,
  ): Answer => {
    const { roots, refused } = researcher.choose(args.roots);
    if (refused.length > 0) return Promise.resolve(refuseRoots(tool, researcher, args.roots ?? [], refused));
    if (roots.length === 0) return Promise.resolve(failed(noRoots()));
    const asked: Asked = {
      question: args.question,
      roots,
      constraints: args.constraints,
      signal: call.signal,
      onProgress: (step) => call.progress(step),
    };
    return answered(() => run(asked), schema);
  };
  return [
    defineTool({ ...pingSurface, args: nothing, run: async () => ({ text: "pong" }) }),
    defineTool({
      ...listRootsSurface,
      args: nothing,
      run: () => answered(async () => ({ roots: researcher.roots() }), rootsReport),
    }),
    defineTool({
      ...researchSurface,
      args: researchArguments,
      run: (args, call) => {
        const { artifact } = args;
        const wanted = artifact === false ? undefined : artifact === true ? {} : artifact;
        return ask("research_codebase", args, call, (asked) => researcher.research(asked, wanted), researchReport);
      },
    }),
    defineTool({
      ...locateSurface,
      args: askArguments,
      run: (args, call) => ask("locate_in_codebase", args, call, (asked) => researcher.locate(asked), locateReport),
    }),
    defineTool({
      ...patternsSurface,
      args: askArguments,
      run: (args, call) => ask("find_patterns", args, call, (asked) => researcher.patterns(asked), patternsReport),
    }),
    defineTool({
      ...analyzeSurface,
      args: askArguments,
      run: (args, call) => ask("analyze_component", args, call, (asked) => researcher.analyze(asked), componentReport),
    }),
    defineTool({
      ...createHandoffSurface,
      args: createHandoffArguments,
      run: (args, call) =>
        ask(
          "create_handoff",
          args,
          call,
          (asked) => researcher.createHandoff(asked, { path: args.path }),
          handoffReport,
        ),
    }),
    defineTool({
      ...resumeHandoffSurface,
      args: resumeHandoffArguments,
      run: ({ path }, call) => answered(() => researcher.resumeHandoff(path, call.signal), resumeReport),
    }),
  ];
}

async function answered(run: () => Promise<object>, schema: z.ZodType): Answer {
  try {
    return { text: JSON.stringify(schema.parse(await run())) };
  } catch (error) {
    if (error instanceof ResearchError) return failed(error);
    throw error;
  }
}

function failed({ code, message, hint }: ResearchError): ToolOutcome {
  return { text: JSON.stringify({ error: { name: code, message, ...(hint === "" ? {} : { hint }) } }), isError: true };
}

function noRoots(): ResearchError {
  return new ResearchError("root_unavailable", "no root can be searched", {
    hint: "start the server with --root DIR, naming a directory that exists",
  });
}

/** with the allowed roots, so that the next call can be right. */
function refuseRoots(
  tool: string,
  researcher: Researcher,
  asked: readonly string[],
  refused: readonly string[],
): ToolRefusal {
  const issues = refused.map((root) => {
    const path = `arguments.roots.${asked.indexOf(root)}`;
    return { path, code: "invalid_value", message: "invalid_value" };
  });
  return {
    refusal: {
      code: INVALID_PARAMS,
      message: "Invalid params",
      data: {
        jeeves: { schemaVersion: 1 },
        method: "tools/call",
        tool,
        issues,
        allowed_roots: researcher.roots(),
      },
    },
  };
}
