// An export as lines, and what an import brought in.
import type { Imported } from "../../tasks/transfer/import.ts";
import { type ExportRecord, toHead } from "../../tasks/transfer/records.ts";
import type { Answer } from "../answer.ts";

/** One JSON value a line. */
export function exportAnswer(records: readonly ExportRecord[]): Answer {
  const all = [toHead(), ...records];
  return { json: all, text: `${all.map((record) => JSON.stringify(record)).join("\n")}\n` };
}

/** How much came in, and what did not. */
export function importedAnswer(imported: Imported): Answer {
  const { artefacts, archived, memory, lines, same, problems } = imported;
  const words = [
    `${artefacts} artefacts`,
    `${archived} archived`,
    `${memory} memory pages`,
    `${lines} log lines`,
    ...(same > 0 ? [`${same} were there`] : []),
  ];
  return {
    json: { artefacts, archived, memory, lines, same, problems },
    text: `imported: ${words.join(", ")}`,
    notes: problems.map(({ line, message }) => `line ${line} was left out: ${message}`),
  };
}
