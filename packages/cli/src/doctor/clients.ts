// The coding agents on this machine: which version, and whether they are connected.
import { traitsOf } from "@jeeves/base";
import type { FoundClient } from "../find-clients.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { askVersion } from "./ask-version.ts";
import { type Check, good, note } from "./check.ts";

export async function checkClients(clients: readonly FoundClient[], env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  if (clients.length === 0) {
    return [note("clients", "no coding agent was found", "install one, e.g. npm install --global @openai/codex")];
  }
  return Promise.all(clients.map((client) => checkClient(client, env)));
}

async function checkClient(client: FoundClient, env: NodeJS.ProcessEnv): Promise<Check> {
  const { title, name, found, isProgram, isConnected, isShadow } = client;
  const version = isProgram ? await askVersion(found, env) : undefined;
  const label = title.toLowerCase();
  const seen = version ?? found;
  // An older client may silently ignore hooks and result forms.
  const tested = traitsOf(name).testedVersion;
  if (!isConnected) return note(label, `${seen}, not connected`, ownCommand(`init ${name}`, env));
  if (version !== undefined && tested !== undefined && isOlder(version, tested)) {
    return note(
      label,
      `${version}, connected, but older than ${tested}, which hooks were tested with`,
      `update ${title}`,
    );
  }
  return isShadow
    ? note(label, `${seen}, connected, its settings say shadow: nothing is cut`, ownCommand(`init ${name}`, env))
    : good(label, `${seen}, connected`);
}

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
