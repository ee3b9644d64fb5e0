// `agents/T042/srt-settings.json` (RU-20, X-29): what the sandbox lets an agent write, read and reach. Strict: its
// worktree, its log directory, /tmp and its own client's directories; no keys of the user; the client's own hosts.
import { join } from "node:path";
import { CLIENTS, type ClientTraits, clientHomeFileOf, clientHomeOf } from "@jeeves/base";
import * as z from "zod";
import { RudderError } from "../../rudder-error.ts";

const paths = z.array(z.string().min(1)).default([]);

/** What a haven's own `srt-settings.json` may add; other fields of the sandbox are handed on as they are. */
const srtSettingsSchema = z.looseObject({
  network: z
    .looseObject({
      allowedDomains: paths,
      deniedDomains: paths,
      allowUnixSockets: paths,
      allowAllUnixSockets: z.boolean().optional(),
    })
    .prefault({}),
  filesystem: z.looseObject({ denyRead: paths, allowWrite: paths, denyWrite: paths }).prefault({}),
});
export type SrtSettings = z.infer<typeof srtSettingsSchema>;

export const NO_SETTINGS: SrtSettings = srtSettingsSchema.parse({});

export interface SrtFacts {
  /** Where it works. */
  readonly place: string;
  readonly haven: string;
  readonly logDir: string;
  readonly socket: string;
  readonly provider: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly base: SrtSettings;
}

export function composeSrtSettings(facts: SrtFacts): SrtSettings {
  const { base, home, env } = facts;
  const { allowAllUnixSockets = true } = base.network;
  const client = CLIENTS.find(({ program }) => program === facts.provider);
  return {
    ...base,
    network: {
      ...base.network,
      allowedDomains: union(client?.hosts ?? [], base.network.allowedDomains),
      deniedDomains: union(base.network.deniedDomains),
      allowUnixSockets: union([facts.socket], base.network.allowUnixSockets),
      // Linux can only allow them all or none: seccomp sees no path.
      ...(facts.platform === "linux" ? { allowAllUnixSockets } : {}),
    },
    filesystem: {
      ...base.filesystem,
      // Linux lets it open all sockets or none: the haven's own, where it would have no name, is taken out of its sight.
      denyRead: union(
        [join(facts.haven, "mcp.sock")],
        [".ssh", ".gnupg", ".aws"].map((name) => join(home, name)),
        base.filesystem.denyRead,
      ),
      allowWrite: union(
        [facts.place, facts.logDir, "/tmp"],
        client === undefined ? [] : clientPlaces(client, { ...env, HOME: home }),
        base.filesystem.allowWrite,
      ),
      denyWrite: union(base.filesystem.denyWrite),
    },
  };
}

/** True where the haven's settings forbid sockets to sandboxed programs on this platform. */
export function areSocketsRefused(base: SrtSettings, platform: NodeJS.Platform): boolean {
  return platform === "linux" && base.network.allowAllUnixSockets === false;
}

function clientPlaces(client: ClientTraits, env: NodeJS.ProcessEnv): readonly string[] {
  return [clientHomeOf(client, env), clientHomeFileOf(client, env) ?? []].flat();
}

function union(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

export function parseSrtSettings(text: string, path: string): SrtSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const parsed = srtSettingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RudderError(
    "broken_state",
    `${path} is no sandbox settings: ${z.prettifyError(parsed.error).replace(/\s+/g, " ")}`,
    {
      hint: "mend it, or delete it and run: rudder sandbox init",
      details: { path },
    },
  );
}
