// The one table of clients: what each shows of a result, what it calls itself, where it keeps its files. No other file
// branches on a client's name, except where a client has a module of its own.
import { parseCount } from "../whole-numbers.ts";

/** The clients that we know, by the word that `jeeves init` takes. */
export type ClientId = "claude-code" | "codex" | "opencode" | "gemini" | "lm-studio";

/** "both": structured content and text; "text": text alone, because the client would hide it behind the other. */
export type ResultForm = "both" | "text";

/**
 * "result": of an MCP tool; "error": of one that failed; "command", "failedCommand": of the client's own shell; "search":
 * of its own grep; "hookText": of what a hook gives in the place of a result.
 */
export type ShownThing = "result" | "error" | "command" | "failedCommand" | "search" | "hookText";

/** What a client does itself with a text that is too long for it. */
export interface OwnCut {
  /** Characters; a longer text is cut. */
  readonly over: number;
  /** Lines; a text of more lines is cut to so many, too. */
  readonly lines?: number;
  /** What is left: the beginning, the end, or both ends. */
  readonly keeps: "beginning" | "end" | "ends";
  /** Characters that are left, without the client's words about it. */
  readonly chars: number;
  /** Of both ends, the share of the beginning; default: a half. */
  readonly beginningShare?: number;
  /** What the client writes around it: where the whole text is, how much is missing. */
  readonly says: readonly [before: string, between: string];
  /** Of the text, only so many characters are looked at. */
  readonly ofFirst?: number;
}

type OwnCuts = Partial<Record<ShownThing, OwnCut>>;

/** What we know about a client. */
export interface ClientTraits {
  readonly id: ClientId;
  /** For people: "Claude Code". */
  readonly title: string;
  /** How it calls itself in clientInfo. */
  readonly clientInfo: RegExp;
  /** which form of a result its model sees. */
  readonly resultForm: ResultForm;
  /** characters that it shows, by what is shown; absent: no limit that we know of. */
  readonly shows: Partial<Record<ShownThing, number>>;
  /** how it cuts what is too long for it. */
  readonly ownCuts: OwnCuts;
  /** What it writes where it has cut a result; in transcripts of earlier versions, too. */
  readonly cutMarks?: RegExp;
  /** Where it depends on the model: which ones it knows, and what it shows the others. */
  readonly unknownModels?: { readonly known: RegExp; readonly ownCuts: OwnCuts };
  /** The variable in which it names its session to the commands and servers that it starts. */
  readonly sessionVariable?: string;
  /** A variable that it sets for its commands, whatever the session. */
  readonly shellVariable?: string;
  /** Its own directory: what the variable names, or a folder of the home. `parentVariable` names the directory above it. */
  readonly home: { readonly variable?: string; readonly parentVariable?: string; readonly folder: string };
  /** A file of its own beside that, in the home; in `home` where its variable is set. */
  readonly homeFile?: string;
  /** Where its transcripts are below that: `*` is one name, `ID` the session's. */
  readonly transcripts?: string;
  /** Where those of its subagents are, if they have files of their own. */
  readonly subagentTranscripts?: string;
  /** Files that stand in every starting prompt: of the user, below `home`, and of a project. */
  readonly memory?: { readonly user: readonly string[]; readonly project: readonly string[] };
  /** Files that name its MCP servers, likewise. */
  readonly servers: { readonly user: readonly string[]; readonly project: readonly string[] };
  /** Files with its hooks and permissions, where those stand apart. */
  readonly settings?: { readonly user: readonly string[]; readonly project: readonly string[] };
  /** Files of ours that it loads as its plugins, likewise. */
  readonly plugins?: { readonly user: readonly string[]; readonly project: readonly string[] };
  /** Of those, the one that a project does not share. */
  readonly localSettings?: string;
  /** It rejects a settings file with trailing commas (and with comments, unless it allows them), and what that does. */
  readonly strictJson?: { readonly allowsComments: boolean; readonly effect: string };
  /** Settings that turn its hooks off: a key with the value that does it, and a list of the names of single hooks. */
  readonly hooksOff?: { readonly key: string; readonly value: boolean; readonly names?: string };
  /** The variable of its settings that names a program to put in front of every command. */
  readonly shellPrefix?: string;
  /** The program that people start it with; of a desktop application, its helper on the command line. */
  readonly program: string;
  /** A desktop application: its home shows that it is there. */
  readonly isDesktop?: boolean;
  /** Its npm packages, where it may run as a script of one of them. */
  readonly packages?: RegExp;
  /** The hosts that it talks to. */
  readonly hosts?: readonly string[];
  /** It has hooks that ours can use. */
  readonly hasHooks: boolean;
  /** It keeps settings for a project. One that does not starts its servers in a directory of its own. */
  readonly knowsProjects: boolean;
  /** The oldest version that its hooks and result forms were tested with. */
  readonly testedVersion?: string;
  /** The newest one. */
  readonly newestVersion?: string;
  /** The line that installs it. */
  readonly install?: string;
}

/** The paths and numbers are examples of the usual length. */
const CLAUDE_SAVED = [
  "<persisted-output>\nOutput too large (105.8KB). Full output saved to: /home/someone/.claude/projects/" +
    "-home-someone-project/9f784961-dc7d-4e6b-bc37-4abc797f9a25/tool-results/b1f6bht3x.txt\n\nPreview (first 2KB):\n",
  "\n...\n</persisted-output>",
] as const;
const CODEX_CUT = [
  "Warning: truncated output (original token count: 26215)\nTotal output lines: 1742\n\n",
  "…25215 tokens truncated…",
] as const;

const GEMINI_CUT = {
  over: 40_000,
  keeps: "ends",
  chars: 40_000,
  beginningShare: 0.2,
  says: [
    "Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /home/someone/.gemini/tmp/" +
      "project/tool-outputs/session-9f784961-dc7d-4e6b-bc37-4abc797f9a25/run_shell_command_1794979130083_0.txt\n",
    "\n\n... [388,985 characters omitted] ...\n\n",
  ],
} as const satisfies OwnCut;
const OPENCODE_FILE = "/home/someone/.local/share/opencode/tool-output/tool_1ed19224b001BOSq4dGqvlqD5O\n";

/** Every client that we know, in the order in which people see them. */
export const CLIENTS: readonly ClientTraits[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    clientInfo: /^claude-code\b/i,
    // Its model sees structuredContent as JSON; the text beside it is hidden.
    resultForm: "text",
    // Of a longer result it shows the first 2 kB and the name of a file; a longer failure it cuts in the middle.
    shows: { result: 50_000, error: 10_000, command: 30_000, failedCommand: 10_000, search: 20_000 },
    ownCuts: {
      result: { over: 50_000, keeps: "beginning", chars: 2_000, says: CLAUDE_SAVED },
      command: { over: 30_000, keeps: "beginning", chars: 2_000, says: CLAUDE_SAVED },
      failedCommand: {
        over: 10_000,
        keeps: "ends",
        chars: 10_000,
        ofFirst: 30_000,
        says: ["", "\n\n... [18988 characters truncated] ...\n\n"],
      },
    },
    cutMarks: /^<persisted-output>\nOutput too large|^\.\.\. \[[\d,]+ (?:characters|lines) truncated\] \.\.\.$/m,
    sessionVariable: "CLAUDE_CODE_SESSION_ID",
    shellVariable: "CLAUDECODE",
    home: { variable: "CLAUDE_CONFIG_DIR", folder: ".claude" },
    homeFile: ".claude.json",
    transcripts: "projects/*/ID.jsonl",
    subagentTranscripts: "projects/*/ID/subagents/*.jsonl",
    memory: { user: ["CLAUDE.md"], project: ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"] },
    servers: { user: [".claude.json"], project: [".mcp.json"] },
    settings: { user: ["settings.json"], project: [".claude/settings.json", ".claude/settings.local.json"] },
    localSettings: ".claude/settings.local.json",
    // Tried in 2.1.197: without a word, hooks of a settings.json with either are not run. A byte order mark is no harm.
    strictJson: { allowsComments: false, effect: "ignores every setting in such a file, ours too" },
    hooksOff: { key: "disableAllHooks", value: true },
    shellPrefix: "CLAUDE_CODE_SHELL_PREFIX",
    program: "claude",
    packages: /[\\/]@anthropic-ai[\\/]claude-(?:code|agent-sdk)[^\\/]*[\\/]/,
    hosts: ["api.anthropic.com", "*.anthropic.com", "claude.ai", "*.claude.ai"],
    hasHooks: true,
    knowsProjects: true,
    testedVersion: "2.1.197",
    newestVersion: "2.1.325",
    install: "npm install --global @anthropic-ai/claude-code",
  },
  {
    id: "codex",
    title: "Codex",
    clientInfo: /^codex\b/i,
    resultForm: "text",
    // What we show fits into the room of models that it does not know: a server cannot tell the model.
    shows: { result: 12_000, command: 10_000, hookText: 10_000 },
    // It cuts the middle out: after 10,000 tokens, counted as four bytes each, for the models of its own list, which is
    // nearly every session; after 10,000 bytes for others.
    ownCuts: {
      result: { over: 48_000, keeps: "ends", chars: 48_000, says: CODEX_CUT },
      command: { over: 40_000, keeps: "ends", chars: 40_000, says: CODEX_CUT },
    },
    unknownModels: {
      known: /^(?:gpt-|codex-|o\d)/,
      ownCuts: {
        result: { over: 12_000, keeps: "ends", chars: 12_000, says: CODEX_CUT },
        command: { over: 10_000, keeps: "ends", chars: 10_000, says: CODEX_CUT },
      },
    },
    cutMarks: /…\d+ (?:tokens|chars|characters) truncated…|^\[\.{3} omitted \d+ of \d+ lines \.{3}\]$/m,
    sessionVariable: "CODEX_THREAD_ID",
    home: { variable: "CODEX_HOME", folder: ".codex" },
    // Year, month, day.
    transcripts: "sessions/*/*/*/rollout-*-ID.jsonl",
    memory: { user: ["AGENTS.md"], project: ["AGENTS.md", "AGENTS.override.md"] },
    servers: { user: ["config.toml"], project: [".codex/config.toml"] },
    hooksOff: { key: "features.hooks", value: false },
    program: "codex",
    hosts: ["api.openai.com", "*.openai.com", "chatgpt.com", "*.chatgpt.com"],
    hasHooks: true,
    knowsProjects: true,
    testedVersion: "0.166.0",
    newestVersion: "0.166",
    install: "npm install --global @openai/codex",
  },
  {
    id: "lm-studio",
    title: "LM Studio",
    clientInfo: /^lm-?studio\b/i,
    resultForm: "both",
    shows: {},
    ownCuts: {},
    home: { folder: ".lmstudio" },
    servers: { user: ["mcp.json"], project: [] },
    program: "lms",
    isDesktop: true,
    install: "https://lmstudio.ai",
    hasHooks: false,
    knowsProjects: false,
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    clientInfo: /^gemini-cli\b/i,
    // Its model sees the text alone, and nothing where that is empty.
    resultForm: "both",
    // Of its own tools only commands are cut; files are read in pages of 2,000 lines.
    shows: { result: 40_000, command: 40_000 },
    ownCuts: { result: GEMINI_CUT, command: GEMINI_CUT },
    shellVariable: "GEMINI_CLI",
    home: { folder: ".gemini" },
    servers: { user: ["settings.json"], project: [".gemini/settings.json"] },
    strictJson: { allowsComments: true, effect: "does not start with such a file" },
    hooksOff: { key: "hooksConfig.enabled", value: false, names: "hooksConfig.disabled" },
    program: "gemini",
    hasHooks: true,
    knowsProjects: true,
    testedVersion: "0.61",
    newestVersion: "0.61",
    install: "npm install --global @google/gemini-cli",
  },
  {
    id: "opencode",
    title: "opencode",
    clientInfo: /^opencode\b/i,
    resultForm: "both",
    shows: { result: 50_000, command: 50_000 },
    ownCuts: {
      result: {
        over: 51_200,
        lines: 2_000,
        keeps: "beginning",
        chars: 51_200,
        says: [
          "",
          "\n\n...36015 bytes truncated...\n\nThe tool call succeeded but the output was truncated. Full output saved to: " +
            `${OPENCODE_FILE}Use the Task tool to have explore agent process this file with Grep and Read (with ` +
            "offset/limit). Do NOT read the full file yourself - delegate to save context.",
        ],
      },
      command: {
        over: 51_200,
        lines: 2_000,
        keeps: "end",
        chars: 51_200,
        says: [`...output truncated...\n\nFull output saved to: ${OPENCODE_FILE}\n`, ""],
      },
    },
    shellVariable: "OPENCODE",
    home: { parentVariable: "XDG_CONFIG_HOME", folder: ".config/opencode" },
    servers: {
      user: ["opencode.json", "opencode.jsonc"],
      project: ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
    },
    plugins: { user: ["plugin/jeeves.js"], project: [".opencode/plugin/jeeves.js"] },
    program: "opencode",
    hasHooks: true,
    knowsProjects: true,
    testedVersion: "1.18",
    newestVersion: "1.18",
    install: "npm install --global opencode-ai",
  },
];

/** The agents that `jeeves run` and rudder can start: clients by their program, and one that replays a script. */
export const PROVIDER_NAMES = ["claude", "codex", "scripted"] as const;
/** The name of a provider of `jeeves run`. */
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The share of a limit that we use: the client puts words of its own around what it shows. */
const SHARE_PERCENT = 90;

const FALLBACK: Partial<Record<ShownThing, ShownThing>> = { error: "result", failedCommand: "command" };
const CAN_BE_SET: ReadonlySet<ShownThing> = new Set(["result", "error", "command", "failedCommand"]);

/** The client that calls itself so; undefined for one that we do not know. */
export function clientOf(name: string): ClientTraits | undefined {
  return CLIENTS.find((client) => client.clientInfo.test(name));
}

/** The row of a client. */
export function traitsOf(id: ClientId): ClientTraits {
  const found = CLIENTS.find((client) => client.id === id);
  if (found === undefined) throw new Error(`no such client: ${id}`);
  return found;
}

/**
 * how a client cuts such a text itself; undefined where it shows all of it.
 * @param model where it is not known, a model that the client knows
 */
export function ownCutOf(client: ClientTraits | undefined, thing: ShownThing, model?: string): OwnCut | undefined {
  const { unknownModels: others } = client ?? {};
  const isKnown = others === undefined || model === undefined || others.known.test(model);
  const cuts = isKnown ? client?.ownCuts : others.ownCuts;
  return cuts?.[thing] ?? cuts?.[FALLBACK[thing] ?? thing];
}

/**
 * How many characters may be shown, with room left for what the client puts around it (90 %). `JEEVES_MAX_RESULT_CHARS`
 * overrides the limit of results, errors and commands. undefined: no limit.
 */
export function shownCharsOf(
  client: Pick<ClientTraits, "shows"> | undefined,
  thing: ShownThing,
  env: NodeJS.ProcessEnv,
): number | undefined {
  const own = client?.shows[thing] ?? client?.shows[FALLBACK[thing] ?? thing];
  const set = CAN_BE_SET.has(thing) ? parseCount(env.JEEVES_MAX_RESULT_CHARS?.trim() ?? "", { max: 1e12 }) : undefined;
  const limit = set ?? own;
  return limit === undefined ? undefined : Math.floor((limit * SHARE_PERCENT) / 100);
}
