// Commands whose output must be shown as it is printed: servers, programs that follow a file or watch for changes, and
// interactive ones. If it were held back, they would seem to hang.
/** One command of a pipeline: its program and its arguments. */
export interface SimpleCommand {
  /** Without its directory. */
  readonly program: string;
  readonly words: readonly string[];
  /** Whether it reads another command's output. */
  readonly isPiped: boolean;
}

const set = (words: string) => new Set(words.split(" "));

const ALWAYS = set(
  // screens and editors
  "top htop btop atop iotop watch vi vim nvim emacs nano pico micro hx tmux screen byobu mc ranger tig lazygit gitk fzf " +
    // interactive interpreters and network clients
    "irb pry ghci iex ipython bpython jupyter pdb telnet ftp sftp nc ncat netcat socat " +
    // servers
    "nodemon ts-node-dev webpack-dev-server http-server live-server json-server browser-sync uvicorn gunicorn hypercorn " +
    "daphne waitress-serve puma unicorn rackup http.server SimpleHTTPServer streamlit tensorboard ngrok cloudflared " +
    "mongod redis-server mysqld concurrently foreman overmind honcho " +
    // programs that wait for changes or packets
    "tcpdump inotifywait fswatch entr watchexec " +
    // Ours show what was cut; Codex itself applies a patch that it finds in a command.
    "jeeves jeeves-exec apply_patch applypatch",
);
/** Pagers only copy piped input where there is no terminal; without a pipe they wait for a key. */
const PAGERS = set("less more most");
const INTERPRETERS = set(
  "python python2 python3 pypy pypy3 node deno bun ruby lua julia R scala bash sh zsh fish dash ksh mongosh mongo",
);
/** Programs that run a project's scripts: any of their arguments may name one that serves. */
const SCRIPT_RUNNERS = set("npm pnpm yarn bun deno turbo nx lerna rush make just task rake composer mise");
const SERVING_SCRIPT = /^(?:(?:start|dev|serve|watch|preview)(?::.*)?|.*:(?:start|dev|serve|watch))$/s;
/** Programs with a subcommand that serves or is interactive: their first argument, or the second (`php artisan serve`). */
const SERVING_TOOLS = set(
  "next nuxt nuxi astro gatsby remix ng vue-cli-service react-scripts webpack parcel expo storybook wrangler netlify " +
    "vercel serverless sls tsx hugo jekyll mkdocs flask rails mix cargo dotnet firebase ollama pm2 gh php manage.py " +
    "python python2 python3 supabase",
);
const SERVING_VERB =
  /^(?:start|dev|serve|server|watch|preview|develop|runserver|shell|phx\.server|offline|emulators:start)$/;
const LOGS_IN = set("az aws gcloud heroku vercel fly flyctl netlify firebase wrangler supabase npm gh docker podman");
const CONTAINERS = set("docker podman nerdctl docker-compose kubectl oc");

/** Whether a command serves, follows or waits for input, by its program and words alone. */
export function isStreaming(command: SimpleCommand): boolean {
  const { program, words, isPiped } = command;
  const has = (...names: readonly string[]) => words.some((word) => names.includes(word));
  if (ALWAYS.has(program)) return true;
  if (program !== "git" && program !== "rg" && words.some(isFollowing)) return true;
  if (!isPiped && (PAGERS.has(program) || waitsForInput(command))) return true;
  if (SCRIPT_RUNNERS.has(program) && words.some((word) => SERVING_SCRIPT.test(word))) return true;
  if (SERVING_TOOLS.has(program) && words.slice(0, 2).some((word) => SERVING_VERB.test(word))) return true;
  if (LOGS_IN.has(program) && words.slice(0, 2).includes("login")) return true;
  if (INTERPRETERS.has(program) && isServerScript(words[0] ?? "")) return true;
  if (CONTAINERS.has(program)) return isContainerStreaming(words);
  switch (program) {
    case "tail":
    case "journalctl":
    case "stern":
      return words.some(hasShortF);
    case "vite":
      return !has("build", "optimize", "--version", "--help");
    case "tsc":
      return has("-w");
    case "php":
      return has("-S", "-a");
    case "rails":
      return has("s", "c", "console", "dbconsole");
    case "flask":
    case "flutter":
    case "ollama":
    case "caddy":
      return has("run");
    case "ping":
      return !has("-c");
    case "git":
      return isGitAsking(words);
    case "gradle":
    case "gradlew":
      return has("bootRun", "run", "--continuous", "-t");
    case "mvn":
    case "mvnw":
      return words.some((word) => /:(?:run|dev)$/.test(word));
    default:
      return false;
  }
}

function isFollowing(word: string): boolean {
  return /^--(?:watch|follow)/.test(word) && !/=(?:false|no)$/.test(word);
}

/** Whether short options include an f: `-f`, `-fu`, `-n20f`. */
function hasShortF(word: string): boolean {
  return /^-(?!-)[\s\S]*[fF]/.test(word);
}

/** Whether a program has no script or command in its arguments, and so waits for input. */
function waitsForInput({ program, words }: SimpleCommand): boolean {
  if (words.some((word) => word.startsWith("<"))) return false;
  const hasShort = (letters: RegExp) => words.some((word) => /^-(?!-)/.test(word) && letters.test(word));
  const hasLong = (start: RegExp) => words.some((word) => start.test(word));
  if (INTERPRETERS.has(program)) return words.length === 0 || words[0] === "-i";
  if (program === "psql") return !hasShort(/[cfl]/) && !hasLong(/^--(?:command|file|list)/);
  if (program === "mysql" || program === "mariadb") return !hasShort(/e/) && !hasLong(/^--execute/);
  if (program === "sqlite3") return plainWords(words, "").length < 2;
  if (program === "ssh") return plainWords(words, "bcDEeFIiJLlmOopQRSWw").length < 2;
  if (program !== "redis-cli") return false;
  const asked = plainWords(words, "hpanusir");
  return asked.length === 0 || /^(?:monitor|subscribe|psubscribe|MONITOR|SUBSCRIBE|PSUBSCRIBE)$/.test(asked[0] ?? "");
}

/** Words that are neither options nor the values of those in `letters`. */
function plainWords(words: readonly string[], letters: string): string[] {
  const takesValue = (word: string | undefined) =>
    word !== undefined && word.length === 2 && word.startsWith("-") && letters.includes(word[1] ?? "-");
  const plain: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (takesValue(word)) index++;
    else if (!word.startsWith("-")) plain.push(word);
  }
  return plain;
}

function isServerScript(word: string): boolean {
  return word.includes("server") && !word.includes("test") && !word.startsWith("-");
}

function isContainerStreaming(words: readonly string[]): boolean {
  const has = (...names: readonly string[]) => words.some((word) => names.includes(word));
  if (has("attach", "events", "port-forward", "proxy", "edit")) return true;
  if (has("stats") && !has("--no-stream")) return true;
  if (has("up") && !has("-d", "--detach", "--wait")) return true;
  if (has("exec", "run") && has("-it", "-ti", "-i", "-t", "--interactive", "--tty")) return true;
  if (has("get") && has("-w")) return true;
  return has("logs", "log") && words.some(hasShortF);
}

/** Whether a git command opens an editor, or asks about each change. */
function isGitAsking(words: readonly string[]): boolean {
  const [verb = ""] = plainWords(words, "Cc");
  const options = words.slice(words.indexOf(verb) + 1);
  const has = (...names: readonly string[]) => options.some((word) => names.includes(word));
  switch (verb) {
    case "commit":
      return !options.some(
        (word) =>
          /^-(?!-)[\s\S]*[mFC]/.test(word) || /^--(?:message|file|reuse-message|no-edit|fixup|dry-run|help)/.test(word),
      );
    case "rebase":
      return has("-i", "--interactive");
    case "add":
    case "checkout":
    case "restore":
    case "reset":
    case "stash":
      return has("-p", "--patch", "-i", "--interactive", "-e", "--edit");
    case "difftool":
    case "mergetool":
    case "gui":
    case "citool":
      return true;
    default:
      return false;
  }
}
