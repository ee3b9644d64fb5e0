// The permission rules of the calling client, as they are now: read for every call, from the files that the client
// itself reads. For a client whose rules we cannot read, the rules of all the others hold.
import type { ClientId } from "@jeeves/base";
import { dirsWithin, findGitDir, findMainCheckout, findProject } from "../project.ts";
import type { Root } from "../root.ts";
import { createClaudeRules } from "./claude.ts";
import type { ClientPlaces } from "./client-places.ts";
import { createCodexRules } from "./codex.ts";
import { createOpencodeRules } from "./opencode.ts";
import { joinRules, type ReadRules, type RuleProblem } from "./read-rules.ts";

/** The permission rules of clients, read from their settings. */
export interface ClientRules {
  /** `onProblem` is called once for each file and rule that cannot be understood. */
  current(client: ClientId | undefined, onProblem: (problem: RuleProblem) => void): Promise<ReadRules>;
}

interface ClientRulesOptions extends Partial<Omit<ClientPlaces, "root" | "projectDirs" | "mainCheckout" | "gitDir">> {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

type RulesReader = (
  onProblem: (problem: RuleProblem) => void,
  asked: { readonly isOwn: boolean },
) => ReturnType<ReturnType<typeof createClaudeRules>["current"]>;

/** Reads the rules of clients for the sessions in a root. */
export function createClientRules(root: Root, options: ClientRulesOptions): ClientRules {
  let opening: ReturnType<typeof open> | undefined;
  const reported = new Set<string>();

  /** Runs at the first call, so that a server starts faster. */
  async function open() {
    const project = await findProject(root.path);
    const places: ClientPlaces = {
      ...options,
      root: root.path,
      projectDirs: dirsWithin(project, root.path),
      mainCheckout: await findMainCheckout(project),
      gitDir: await findGitDir(root.path),
    };
    const claude = createClaudeRules(places);
    const codex = createCodexRules(places);
    const opencode = createOpencodeRules(places);
    return new Map<ClientId, RulesReader>([
      ["claude-code", (onProblem) => claude.current(onProblem)],
      ["codex", (onProblem) => codex.current(onProblem)],
      ["opencode", (onProblem, { isOwn }) => opencode.current(onProblem, { withDefaults: isOwn })],
    ]);
  }

  return {
    async current(client, onProblem) {
      opening ??= open();
      const readers = await opening;
      const once = (problem: RuleProblem) => {
        const key = JSON.stringify(problem);
        if (reported.has(key)) return;
        reported.add(key);
        onProblem(problem);
      };
      const own = client === undefined ? undefined : readers.get(client);
      const all =
        own === undefined
          ? await Promise.all([...readers.values()].map((read) => read(once, { isOwn: false })))
          : [await own(once, { isOwn: true })];
      return joinRules(all.flat());
    },
  };
}
