// `agents/T042/srt-settings.json` (RU-20, X-29): what the sandbox lets an agent write, read and reach. Strict: its
// worktree, its log directory, /tmp and its own client's directories; no keys of the user; the client's own hosts; of
// all sockets of all havens its own alone.
import { join } from "node:path";
import { CLIENTS, type ClientTraits, clientHomeFileOf, clientHomeOf } from "@jeeves/base";
import { isInsideLexically } from "@jeeves/workspace";
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
  filesystem: z.looseObject({ denyRead: paths, allowRead: paths, allowWrite: paths, denyWrite: paths }).prefault({}),
});
/** Settings of the sandbox: the lists that agents extend, and any other field as it is. */
export type SrtSettings = z.infer<typeof srtSettingsSchema>;

/** The settings of a haven that has none of its own. */
export const NO_SETTINGS: SrtSettings = srtSettingsSchema.parse({});

/** What of a haven a sandboxed agent may read: directories without sockets. The server changes them, the agent cannot. */
const READABLE = ["artefacts", "memory", "runs", "assignments"];

/** What one agent's settings are made of. */
interface SrtFacts {
  /** Where it works. */
  readonly place: string;
  readonly project: string;
  readonly haven: string;
  /** `agents/T042`. */
  readonly agentDir: string;
  readonly logDir: string;
  readonly socket: string;
  readonly provider: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly base: SrtSettings;
}

/** The settings of one agent: the haven's own, with what this agent needs added. */
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
      // Linux lets it open all sockets or none, so they are taken out of its sight, by directories: the mask of one file
      // ends when a restarted server replaces that file, and a socket that is made later would have none.
      denyRead: union(
        [join(home, ".sailing", "havens"), facts.haven],
        [".ssh", ".gnupg", ".aws"].map((name) => join(home, name)),
        base.filesystem.denyRead,
      ),
      allowRead: union(
        [facts.place, facts.agentDir],
        READABLE.map((name) => join(facts.haven, name)),
        base.filesystem.allowRead,
      ),
      allowWrite: union(
        [facts.place, facts.logDir, "/tmp"],
        client === undefined ? [] : clientPlaces(client, { ...env, HOME: home }),
        base.filesystem.allowWrite,
      ),
      denyWrite: union(isExposed(facts) && !isInsideLexically(facts.project, facts.place) ? [facts.project] : [], [
        ...base.filesystem.denyWrite,
      ]),
    },
  };
}

/** What these settings leave open although an agent has no business there; undefined where there is nothing to say. */
export function exposureNote(facts: Pick<SrtFacts, "place" | "project">): string | undefined {
  // In the project itself the agent is meant to write.
  if (!isExposed(facts) || facts.place === facts.project) return undefined;
  if (!isInsideLexically(facts.project, facts.place)) return undefined;
  return `${facts.project} is under /tmp, which agents may write, and holds ${facts.place}: the sandbox does not protect the project; move it, or set RUDDER_HAVEN to a directory outside of it`;
}

/** Agents may write /tmp, and so what lies there. */
function isExposed({ project }: Pick<SrtFacts, "project">): boolean {
  return ["/tmp", "/private/tmp"].some((root) => isInsideLexically(root, project)); // the second is macOS's own name
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

/** Parses a haven's `srt-settings.json`; throws `broken_state` with what is wrong. */
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
