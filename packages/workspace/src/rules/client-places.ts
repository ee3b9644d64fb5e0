// Where the settings files of clients are.

/** The directories and the environment of one session; all paths are absolute. */
export interface ClientPlaces {
  /** The project directory of the session: the server's root, symlinks resolved. */
  readonly root: string;
  /** The root and the directories above it, up to the repository's own. */
  readonly projectDirs: readonly string[];
  /** The main checkout of the repository, where the root lies in a worktree of it. */
  readonly mainCheckout: string;
  /** The nearest directory, from the root upwards, with a `.git` of any kind; undefined where there is none. */
  readonly gitDir: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** The directory of Claude Code's managed settings; by default the system's. */
  readonly managedDir?: string;
  /** The directory of Codex' system-wide settings; by default /etc/codex. */
  readonly codexSystemDir?: string;
  /** The directory of opencode's managed settings; by default the system's. */
  readonly opencodeSystemDir?: string;
}
