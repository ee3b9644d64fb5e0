// Whether another tool stands in the place of our launcher of commands: a client takes one program, and ours gives way.
import { traitsOf } from "@jeeves/base";
import type { FoundClient } from "../find-clients.ts";
import { findShellPrefix, prefixWords } from "../init/shell-prefix.ts";
import { findPlugin } from "../setup/plugins.ts";
import { type Check, note } from "./check.ts";

interface Where {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** A note for each client that has our hooks, in its settings or by a plugin, and the program of another tool. */
export async function checkShellPrefix(clients: readonly FoundClient[], where: Where): Promise<readonly Check[]> {
  const checks = clients.map(async ({ name, isConnected }): Promise<readonly Check[]> => {
    const plugin = await findPlugin(name, where.env);
    if (!isConnected && plugin === undefined) return [];
    const traits = traitsOf(name);
    const prefix = await findShellPrefix(traits, where);
    if (prefix?.kind !== "other") return [];
    const again = `jeeves init ${name}${plugin === undefined ? "" : " --commands"}`;
    return [
      note(
        "shell prefix",
        `${traits.title}: ${prefixWords(prefix)}`,
        `take it out, then ${again}; Read and Grep are cut all the same`,
      ),
    ];
  });
  return (await Promise.all(checks)).flat();
}
