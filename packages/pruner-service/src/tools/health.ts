// The tool `health` (K-12).
import { defineTool } from "@jeeves/kit/mcp";
import { healthArguments } from "../arguments.ts";
import { toHealth } from "../health.ts";
import { healthSurface } from "../surface.ts";

export const healthTool = defineTool({
  ...healthSurface,
  args: healthArguments,
  run: async () => ({ text: JSON.stringify(toHealth()) }),
});
