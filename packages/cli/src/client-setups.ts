// How each client is told about mcp-pruner: lines to paste. It writes nobody's configuration.
export interface ClientSetup {
  readonly client: string;
  readonly how: string;
  readonly lines: readonly string[];
}

export function clientSetups(server: string): readonly ClientSetup[] {
  const config = {
    mcpServers: { pruner: { command: "node", args: [server], env: { MCP_PRUNER_CWD: "/path/to/your/project" } } },
  };
  return [
    { client: "Claude Code", how: "in your project", lines: [`claude mcp add pruner -- node ${server}`] },
    { client: "Codex", how: "in your project", lines: [`codex mcp add pruner -- node ${server}`] },
    {
      client: "LM Studio",
      how: "mcp.json; the root is yours to name",
      lines: JSON.stringify(config, null, 2).split("\n"),
    },
  ];
}
