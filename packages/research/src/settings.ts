// Everything that can be set, with what holds without it. Nothing here reads a file or the environment.
import { z } from "zod";

/** Secrets and the places where people keep them (C-39). */
export const DEFAULT_DENY: readonly string[] = [
  ".env",
  ".env.*",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "id_rsa*",
  "id_dsa*",
  "id_ecdsa*",
  "id_ed25519*",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".htpasswd",
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  "credentials",
  "credentials.json",
  ".secrets",
  "secrets",
];

const positive = z.int().min(1);

/** The settings file. Unknown keys are refused; times in milliseconds. */
export const settingsSchema = z.strictObject({
  roots: z.array(z.string().min(1)).default([]).describe("directories that may be searched"),
  thoughts: z.string().min(1).optional().describe("a directory of notes; adds history to an answer"),
  deny: z
    .array(z.string().min(1))
    .default([...DEFAULT_DENY])
    .describe("globs that are never listed or read"),
  limits: z
    .strictObject({
      maxFilesRead: positive.default(50).describe("files that one question may open to read and quote"),
      maxBytesRead: positive.default(1_048_576).describe("bytes that one question may read"),
      maxFileBytes: positive.max(16_777_216).default(1_048_576).describe("larger files are not looked at"),
      maxFiles: positive.default(200_000).describe("files of a root that are looked at"),
      maxTokens: positive.default(1_500).describe("tokens of an answer"),
    })
    .prefault({}),
  runtime: z
    .strictObject({
      defaultDeadlineMs: positive.max(600_000).default(30_000),
      maxConcurrentTasks: positive.max(64).default(4),
      maxQueuedTasks: z.int().min(0).max(1_000).default(32),
    })
    .prefault({}),
  provider: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }).describe("an OpenAI-compatible endpoint, such as http://127.0.0.1:1234/v1"),
      model: z.string().min(1).optional(),
      timeoutMs: positive.max(300_000).default(20_000),
      maxConcurrentCalls: positive.max(8).default(1),
      allowRemote: z.boolean().default(false).describe("let evidence leave this machine"),
    })
    .optional(),
  artifacts: z.strictObject({ dir: z.string().min(1).optional() }).prefault({}),
  index: z.strictObject({ enabled: z.boolean().default(true), dir: z.string().min(1).optional() }).prefault({}),
  logging: z.strictObject({ level: z.enum(["debug", "info", "warn", "error"]).default("info") }).prefault({}),
});

/** The settings of a researcher, with every default filled in. `roots` are as given: they may not exist. */
export type Settings = z.infer<typeof settingsSchema>;

const bound = (max: number) => z.int().min(1).max(max).optional();

const LIMITS = {
  maxFilesRead: bound(10_000),
  maxBytesRead: bound(1_073_741_824),
  deadlineMs: bound(600_000),
  maxTokens: bound(100_000),
  maxConcurrentTasks: bound(64),
};
type LimitName = keyof typeof LIMITS;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** each also in snake_case; unknown keys are refused by name. */
export const constraintsSchema = z
  .strictObject({
    ...LIMITS,
    ...(Object.fromEntries(Object.entries(LIMITS).map(([name, schema]) => [snake(name), schema])) as Record<
      string,
      (typeof LIMITS)[LimitName]
    >),
  })
  .transform((given): Constraints => {
    const named: Partial<Record<LimitName, number>> = {};
    const values = new Map(Object.entries(given));
    for (const name of Object.keys(LIMITS) as LimitName[]) {
      const value = values.get(name) ?? values.get(snake(name));
      if (value !== undefined) named[name] = value;
    }
    return named;
  });

/** The limits that a question asked for. */
export type Constraints = Partial<Readonly<Record<LimitName, number>>>;

/** The limits that hold for a question. */
export interface EffectiveConstraints {
  readonly maxFilesRead: number;
  readonly maxBytesRead: number;
  readonly deadlineMs: number;
  readonly maxTokens: number;
  readonly maxConcurrentTasks: number;
}

/** A question may ask for less than the settings allow, or for other tokens and time; never for more reading. */
export function effective(settings: Settings, asked: Constraints): EffectiveConstraints {
  const { limits, runtime } = settings;
  return {
    maxFilesRead: Math.min(asked.maxFilesRead ?? limits.maxFilesRead, limits.maxFilesRead),
    maxBytesRead: Math.min(asked.maxBytesRead ?? limits.maxBytesRead, limits.maxBytesRead),
    deadlineMs: asked.deadlineMs ?? runtime.defaultDeadlineMs,
    maxTokens: asked.maxTokens ?? limits.maxTokens,
    maxConcurrentTasks: Math.min(asked.maxConcurrentTasks ?? runtime.maxConcurrentTasks, runtime.maxConcurrentTasks),
  };
}
