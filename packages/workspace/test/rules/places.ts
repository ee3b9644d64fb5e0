// A home, a project inside it and an administrator's directory, with settings files of clients in them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ClientId } from "@jeeves/base";
import { onTestFinished } from "vitest";
import { createClientRules, type RuleProblem, type Verdict } from "../../src/index.ts";

export interface Places {
  readonly dir: string;
  readonly project: string;
  readonly problems: RuleProblem[];
  put(path: string, content: string): string;
  /** The verdict on a path of the project, as the refusal words it: effect, rule, file. */
  judge(path: string, client?: ClientId | "unknown"): Promise<readonly string[] | undefined>;
  /** The verdict on a search for a pattern. */
  judgeSearch(pattern: string, client: ClientId): Promise<readonly string[] | undefined>;
}

export interface PlacesOptions {
  /** How HOME names the home directory: by default `home`, where it is. Another name is made a link to it. */
  readonly home?: string;
  /** Whether the project has a repository; by default it has. */
  readonly git?: boolean;
}

/** `below`: the directory of the session inside the project; by default the project itself. */
export function createPlaces(
  env: NodeJS.ProcessEnv = {},
  below = ".",
  { home = "home", git = true }: PlacesOptions = {},
): Places {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-rules-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const project = join(dir, "home/code/project");
  mkdirSync(project, { recursive: true });
  if (git) {
    mkdirSync(join(project, ".git"));
    writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  }
  if (home !== "home") symlinkSync("home", join(dir, home));
  const problems: RuleProblem[] = [];
  const rules = createClientRules(
    { path: join(project, below) },
    {
      env,
      home: join(dir, home),
      managedDir: join(dir, "etc/claude-code"),
      codexSystemDir: join(dir, "etc/codex"),
      opencodeSystemDir: join(dir, "etc/opencode"),
    },
  );
  const worded = (verdict: Verdict | undefined) =>
    verdict === undefined ? undefined : [verdict.effect, verdict.rule, verdict.source];
  return {
    dir,
    project,
    problems,
    put(path, content) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
      return join(dir, path);
    },
    async judge(path, client = "claude-code") {
      const known = client === "unknown" ? undefined : client;
      return worded((await rules.current(known, (problem) => problems.push(problem))).verdictOn(join(project, path)));
    },
    async judgeSearch(pattern, client) {
      return worded((await rules.current(client, (problem) => problems.push(problem))).verdictOnSearch?.(pattern));
    },
  };
}
