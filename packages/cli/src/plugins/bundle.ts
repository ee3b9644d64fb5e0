// The bundle that desktop clients install (.mcpb), and the entry for the registry of MCP servers.
import { toolsOf } from "../init/what-to-set-up.ts";
import {
  AUTHOR,
  filledIn,
  json,
  type PluginAbout,
  type PluginFiles,
  pluginSetUp,
  SERVER_FILE,
} from "./plugin-files.ts";

const ROOT = filledIn("__dirname");
const TOOL_WORDS: Readonly<Record<string, string>> = {
  read: "A file, or the lines of it that answer a question",
  grep: "Matches in files, or those that answer a question",
  recover_text: "Lines that an earlier answer left out",
};

/** The bundle's manifest. A desktop client works in no project: its user names the directory that may be read. */
export function mcpBundle(about: PluginAbout, engines: { readonly node: string }): PluginFiles {
  const setUp = pluginSetUp(ROOT, "tools");
  const tools = toolsOf(setUp);
  return {
    "manifest.json": json({
      manifest_version: "0.3",
      name: about.name,
      display_name: "Jeeves",
      version: about.version,
      description: about.description,
      author: AUTHOR,
      license: about.license,
      keywords: about.keywords,
      server: {
        type: "node",
        entry_point: SERVER_FILE,
        mcp_config: {
          command: "node",
          args: [`${ROOT}/${SERVER_FILE}`],
          env: {
            MCP_PRUNER_TOOLS: tools.join(","),
            PRUNER_ENGINE: "embedded",
            MCP_PRUNER_CWD: filledIn("user_config.root"),
          },
        },
      },
      tools: tools.map((name) => ({ name, description: TOOL_WORDS[name] ?? name })),
      user_config: {
        root: { type: "directory", title: "Directory", description: "What the tools may read", required: true },
      },
      compatibility: { platforms: ["darwin", "linux"], runtimes: engines },
    }),
  };
}

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** server.json: the npm package, and which of its programs is the server. */
export function registryEntry({ name, version, description }: PluginAbout, mcpName: string): PluginFiles {
  const entry = {
    $schema: SCHEMA,
    name: mcpName,
    title: "Jeeves",
    description: description.slice(0, 100),
    version,
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        packageArguments: [{ type: "positional", value: "mcp" }],
        transport: { type: "stdio" },
      },
    ],
  };
  return { "server.json": json(entry) };
}
