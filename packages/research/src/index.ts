// Research for callers inside this project: settings in, reports out. The MCP server is the bin (mcp-research.ts).
export { loadSettings, type SettingsSources } from "./load-settings.ts";
export type { ResearchReport } from "./report/schema.ts";
export { ResearchError, type ResearchErrorCode } from "./research-error.ts";
export { createResearcher, type Researcher, type ResearcherOptions } from "./researcher.ts";
export type { Settings } from "./settings.ts";
