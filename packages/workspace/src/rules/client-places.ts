// Where the settings of clients are looked for.

export interface ClientPlaces {
  /** The project directory of the session: the server's root, symlinks resolved. */
  readonly root: string;
  /** The root and the directories above it, up to the repository's own. */
  readonly projectDirs: readonly string[];
  /** The main checkout of the repository, where the root lies in a worktree of it. */
  readonly mainCheckout: string;
  /** The nearest directory, from the root upwards, with a `.git` of whatever kind; undefined where there is none. */
  readonly gitDir: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Claude Code's managed settings; by default where the system has them. */
  readonly managedDir?: string;
  /** Codex' system-wide settings. */
  readonly codexSystemDir?: string;
  /** opencode's managed settings. */
  readonly opencodeSystemDir?: string;
}
