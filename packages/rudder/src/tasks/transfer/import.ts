// An export into a haven: an empty one, or with `merge` beside what is there. Nothing that is there is changed: an id
// with another text is refused. All of it in one transaction; with `partial` without the lines that are wrong.
import type { HavenStep } from "../../haven/store.ts";
import { formatId, KINDS, kindOf, readId } from "../../ids.ts";
import { formatLogLine, type LogLine } from "../../memory/log-line.ts";
import { PROJECT_MEMORY, toMemoryText } from "../../memory/memory-file.ts";
import { RudderError } from "../../rudder-error.ts";
import { type DocumentProblem, documentError, type GivenDocument, readDocument } from "../document.ts";
import { unsyncedByTask } from "../memory/unsynced.ts";
import { changeOptions, type TaskSession } from "../session.ts";
import { type ReadRecord, readRecords } from "./records.ts";

/** Enough for some hundred thousand tasks, and a text that Node can hold. */
export const MAX_IMPORT_BYTES = 256 * 1024 * 1024;

/** What to bring in, and how. */
interface ImportRequest {
  readonly document: GivenDocument;
  readonly merge: boolean;
  readonly partial: boolean;
}

/** How much came in. */
export interface Imported {
  readonly artefacts: number;
  readonly archived: number;
  readonly memory: number;
  readonly lines: number;
  /** Records that the haven had already, word for word. */
  readonly same: number;
  /** Left out, with `partial` only. */
  readonly problems: readonly DocumentProblem[];
}

/** Brings the records in. */
export async function importHaven(session: TaskSession, request: ImportRequest): Promise<Imported> {
  const { name } = request.document;
  const { records, problems, isExport } = readRecords(
    readDocument(request.document, { maxBytes: MAX_IMPORT_BYTES, what: "an export" }),
  );
  if (!isExport) {
    throw documentError(name, problems.slice(0, 1), "nothing was brought in; an export comes from rudder export");
  }
  if (problems.length > 0 && !request.partial) throw brokenLines(name, problems);
  return session.store.change(async (step) => {
    if (!request.merge) await requireEmptyHaven(step);
    const writer = createWriter(step, await lookBefore(step));
    const refused: DocumentProblem[] = [];
    for (const one of records) {
      const problem = await writer.write(one);
      if (problem !== undefined) refused.push({ line: one.line, message: problem });
    }
    if (refused.length > 0 && !request.partial) throw brokenLines(name, [...problems, ...refused]);
    step.audit({ event: "imported", taskId: "", by: session.caller.name });
    return { ...writer.counts, problems: [...problems, ...refused] };
  }, changeOptions(session));
}

function brokenLines(name: string, problems: readonly DocumentProblem[]): RudderError {
  return documentError(name, problems, "nothing was brought in; mend these lines, or leave them out with --partial");
}

/** The page that `init` makes is nothing that could be lost. */
function isFreshPage(id: string, text: string): boolean {
  return id === "project" && text === toMemoryText(PROJECT_MEMORY, "Project memory");
}

async function requireEmptyHaven(step: HavenStep): Promise<void> {
  const { artefacts } = await step.snapshot();
  const archived = await step.archivedIds();
  const noted: string[] = [];
  for (const id of await step.notedIds()) {
    if (id !== "project" || !isFreshPage(id, (await step.memory(id)) ?? "")) noted.push(id);
  }
  if (artefacts.length + archived.length + noted.length === 0) return;
  const what = [
    `${artefacts.length} artefacts`,
    ...(archived.length > 0 ? [`${archived.length} archived`] : []),
    ...(noted.length > 0 ? [`memory of ${noted.slice(0, 5).join(", ")}`] : []),
  ];
  throw new RudderError("not_empty", `this haven is not empty: ${what.join(", ")}`, {
    hint: "--merge brings in what it does not have, and refuses ids that have another text here",
  });
}

/** What the haven had before the import. */
interface Before {
  readonly live: ReadonlySet<string>;
  readonly archived: ReadonlySet<string>;
  readonly unsynced: ReadonlyMap<string, readonly LogLine[]>;
}

async function lookBefore(step: HavenStep): Promise<Before> {
  return {
    live: new Set((await step.snapshot()).artefacts.map(({ id }) => id)),
    archived: new Set(await step.archivedIds()),
    unsynced: await unsyncedByTask(step, await step.notedIds()),
  };
}

/** Writes record after record; what the haven had before the import decides what is the same, and what is refused. */
function createWriter(step: HavenStep, before: Before) {
  const counts = { artefacts: 0, archived: 0, memory: 0, lines: 0, same: 0 };
  /** How often each line stands in a log already. */
  const logs = new Map<string, Map<string, number>>();

  const linesOf = async (id: string): Promise<Map<string, number>> => {
    const known = logs.get(id);
    if (known !== undefined) return known;
    const isEpic = kindOf(id) === "epic";
    const own = isEpic ? await step.log(id) : (before.unsynced.get(id) ?? []);
    const counted = new Map<string, number>();
    for (const { taskId, ...line } of own) {
      const key = formatLogLine(isEpic && taskId !== undefined ? { ...line, taskId } : line);
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    logs.set(id, counted);
    return counted;
  };

  const toOwnId = (text: string): string => {
    const read = readId(text);
    return read === undefined ? text : formatId(read, step.digits);
  };

  /** Undefined where it went in, or was there; else why not. */
  async function write({ record }: ReadRecord): Promise<string | undefined> {
    switch (record.type) {
      case "counters":
        for (const kind of KINDS) {
          if (record.counters[kind] > 0) await step.raiseCounter(kind, record.counters[kind]);
        }
        return undefined;
      case "artefact": {
        const id = toOwnId(record.id);
        const there = before.live.has(id)
          ? await step.artefact(id)
          : before.archived.has(id)
            ? await step.archived(id)
            : undefined;
        if (there !== undefined) {
          const isSame = there.text === record.text && there.path === record.path;
          if (isSame) counts.same += 1;
          const how = there.text === record.text ? `at ${there.path}` : "with another text";
          return isSame ? undefined : `${id} is there already, ${how}`;
        }
        await step.createArtefact({ id, path: record.path, text: record.text });
        counts[record.archived ? "archived" : "artefacts"] += 1;
        return undefined;
      }
      case "memory": {
        const id = toOwnId(record.id);
        const there = await step.memory(id);
        if (there === record.text) counts.same += 1;
        else if (there !== undefined && !isFreshPage(id, there))
          return `the memory of ${id} is there already, with another text`;
        else {
          await step.writeMemory(id, record.text);
          counts.memory += 1;
        }
        return undefined;
      }
      case "log": {
        const id = toOwnId(record.id);
        const { taskId, files, snippet, command, by, ...line } = record.line;
        const plain = {
          ...line,
          ...(taskId === undefined ? {} : { taskId: toOwnId(taskId) }),
          ...(files === undefined ? {} : { files }),
          ...(snippet === undefined ? {} : { snippet }),
          ...(command === undefined ? {} : { command }),
          ...(by === undefined ? {} : { by }),
        };
        const known = await linesOf(id);
        const key = formatLogLine(plain);
        const left = known.get(key) ?? 0;
        if (left > 0) {
          known.set(key, left - 1);
          counts.same += 1;
        } else {
          await step.appendLog(id, plain);
          counts.lines += 1;
        }
        return undefined;
      }
    }
  }
  return { counts, write };
}
