// The tool `health` (K-12).
import { defineTool } from "@jeeves/kit/mcp";
import { healthArguments } from "../arguments.ts";
import { toHealth } from "../health.ts";
import { healthSurface } from "../surface.ts";

/** The tool: gives the payload of GET /health, without `model_loaded`, as JSON text. */
export const healthTool = defineTool({
  ...healthSurface,
  args: healthArguments,
  run: async () => ({ text: JSON.stringify(toHealth()) }),
});
