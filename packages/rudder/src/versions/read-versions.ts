// Current versions of a project's components (RU-22): components.yaml names a file and how to find the version in it;
// without one, package.json. Files are read inside the project only.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { isRecord } from "@jeeves/base";
import { openRoot, type Root, readTextFile, WorkspaceError } from "@jeeves/workspace";
import { parseDocument } from "yaml";
import { toGitEnv } from "../git-env.ts";

const MAX_BYTES = 1_048_576;
const GIT_TIMEOUT_MS = 5_000;
const REGEX_TIMEOUT_MS = 1_000;
const PLACES = [".sailing/components.yaml", "components.yaml"];

/** A part of the project; `problem` is why its version is not known. */
export interface Component {
  readonly name: string;
  readonly isMain: boolean;
  readonly version?: string;
  readonly problem?: string;
}

/** Every component. A file that is missing or broken is a problem of its component. */
export async function readVersions(
  project: string,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<readonly Component[]> {
  const root = await openRoot(project);
  for (const place of PLACES) {
    const text = await readIfThere(root, place);
    if (text === undefined) continue;
    const document = parseDocument(text, { schema: "failsafe" });
    const error = document.errors[0];
    if (error !== undefined) {
      return [{ name: place, isMain: false, problem: `${place}: ${error.message.split("\n")[0]}` }];
    }
    return Promise.all(entriesOf(document.toJS()).map((entry) => readComponent(root, entry, options)));
  }
  const manifest = await readIfThere(root, "package.json");
  if (manifest === undefined) return [];
  const name = fromJson(manifest, "name") ?? "project";
  const version = fromJson(manifest, "version");
  return [
    { name, isMain: true, ...(version === undefined ? { problem: "package.json has no version" } : { version }) },
  ];
}

interface Entry {
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A list with names, or a map by name; under `components:` or not. */
function entriesOf(value: unknown): Entry[] {
  const all = isRecord(value) && "components" in value ? value.components : value;
  const toEntry = (name: string, fields: unknown): Entry => ({
    name,
    fields: isRecord(fields) ? Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, String(one)])) : {},
  });
  if (Array.isArray(all)) return all.map((one) => toEntry(isRecord(one) ? String(one.name ?? "?") : "?", one));
  return isRecord(all) ? Object.entries(all).map(([name, fields]) => toEntry(name, fields)) : [];
}

async function readComponent(
  root: Root,
  entry: Entry,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<Component> {
  const { name, fields } = entry;
  const base = { name, isMain: fields.main === "true" };
  const extractor = fields.extractor ?? fields.type ?? "json";
  if (extractor === "git") {
    const version = await describeGit(root.path, options.signal);
    return version === undefined ? { ...base, problem: "git has no tag and no commit here" } : { ...base, version };
  }
  const file = fields.file ?? "";
  try {
    const { content } = await readTextFile(root, file, { maxBytes: MAX_BYTES });
    const version = extract(content, extractor, fields);
    return version === undefined
      ? { ...base, problem: `${file} holds no version (${extractor})` }
      : { ...base, version };
  } catch (error) {
    if (error instanceof WorkspaceError) return { ...base, problem: `${file}: ${error.message}` };
    throw error;
  }
}

function extract(text: string, extractor: string, fields: Readonly<Record<string, string>>): string | undefined {
  if (extractor === "json") return fromJson(text, fields.path ?? fields.key ?? "version");
  if (extractor === "text") return text.trim().split("\n")[0]?.trim() || undefined;
  if (extractor !== "regex") return undefined;
  try {
    // Timed: a pattern that goes wrong on a text would keep a server, and everyone on it, for ever.
    const words = { pattern: fields.pattern ?? fields.regex ?? "$^", text };
    const found: unknown = runInNewContext("new RegExp(pattern, 'm').exec(text)", words, { timeout: REGEX_TIMEOUT_MS });
    const [whole, group]: unknown[] = Array.isArray(found) ? found : [];
    const version = group ?? whole;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

function fromJson(text: string, path: string): string | undefined {
  try {
    let value: unknown = JSON.parse(text);
    for (const key of path.split(".")) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  } catch {
    return undefined;
  }
}

async function describeGit(project: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", project, "describe", "--tags", "--always"], {
      env: toGitEnv(process.env),
      timeout: GIT_TIMEOUT_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    return stdout.trim() || undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

async function readIfThere(root: Root, path: string): Promise<string | undefined> {
  try {
    return (await readTextFile(root, path, { maxBytes: MAX_BYTES })).content;
  } catch (error) {
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}
