// The permission rules of the client that asks, as they are at this moment: read anew for every call, from the
// files that the client itself reads. For a client that is not known the rules of all of them hold.
import { dirsWithin, findMainCheckout, findProject } from "../project.ts";
import type { Root } from "../root.ts";
import { createClaudeRules } from "./claude.ts";
import type { ClientPlaces } from "./client-places.ts";
import { createCodexRules } from "./codex.ts";
import { createOpencodeRules } from "./opencode.ts";
import { joinRules, type ReadRules, type RuleProblem } from "./read-rules.ts";

/** The clients whose rules we can read. */
export type RuledClient = "claude-code" | "codex" | "opencode";

export interface ClientRules {
  /** `onProblem` hears of each file and rule that cannot be understood, once. */
  current(client: RuledClient | undefined, onProblem: (problem: RuleProblem) => void): Promise<ReadRules>;
}

export interface ClientRulesOptions extends Partial<Omit<ClientPlaces, "root" | "projectDirs" | "mainCheckout">> {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

export function createClientRules(root: Root, options: ClientRulesOptions): ClientRules {
  let opening: ReturnType<typeof open> | undefined;
  const reported = new Set<string>();

  /** With the first call, not with the start of a server. */
  async function open() {
    const project = await findProject(root.path);
    const places: ClientPlaces = {
      ...options,
      root: root.path,
      projectDirs: dirsWithin(project, root.path),
      mainCheckout: await findMainCheckout(project),
    };
    return {
      claude: createClaudeRules(places),
      codex: createCodexRules(places),
      opencode: createOpencodeRules(places),
    };
  }

  return {
    async current(client, onProblem) {
      opening ??= open();
      const { claude, codex, opencode } = await opening;
      const once = (problem: RuleProblem) => {
        const key = JSON.stringify(problem);
        if (reported.has(key)) return;
        reported.add(key);
        onProblem(problem);
      };
      const isAny = client === undefined;
      const all = await Promise.all([
        isAny || client === "claude-code" ? claude.current(once) : [],
        isAny || client === "codex" ? codex.current(once) : [],
        isAny || client === "opencode" ? opencode.current(once, { withDefaults: client === "opencode" }) : [],
      ]);
      return joinRules(all.flat());
    },
  };
}
