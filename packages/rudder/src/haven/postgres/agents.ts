// The records of agents of all machines that share a haven: one row for each task and machine.
import { closeSync, existsSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import type { Connection, Row } from "@jeeves/state";
import { DEFAULT_DIGITS } from "../../ids.ts";
import { agentPlaces, parseRecord } from "../files/agent-file.ts";
import { readBytesIfThere } from "../files/read-if-there.ts";
import { layoutOf } from "../layout.ts";
import type { StoredAgent } from "../store.ts";
import { keyOf } from "./rows.ts";

/** A further migration: the table of agents. */
export const AGENTS_TABLE = `
CREATE TABLE jeeves_agents (
  haven text NOT NULL,
  task text NOT NULL,
  host text NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (haven, task, host)
)`;

/** A row as the record that it holds. */
export function toAgent(row: Row, toId: (key: unknown) => string): StoredAgent {
  return { taskId: toId(row.task), host: String(row.host), record: JSON.parse(String(row.record)) };
}

/** Writes a record in the place of the one of the same task and machine; `isNew`: only where there is none. */
export async function insertAgent(
  connection: Connection,
  haven: string,
  { taskId, host, record }: StoredAgent,
  options: { readonly isNew?: boolean } = {},
): Promise<void> {
  const otherwise = options.isNew === true ? "NOTHING" : "UPDATE SET record = $4";
  await connection.query(
    {
      name: options.isNew === true ? "jeeves_agent_new" : "jeeves_agent_put",
      text: `INSERT INTO jeeves_agents (haven, task, host, record) VALUES ($1, $2, $3, $4)
             ON CONFLICT (haven, task, host) DO ${otherwise}`,
    },
    [haven, keyOf(taskId), host, JSON.stringify(record)],
  );
}

/** Sets a file aside whose record the database has by now. */
export function setAgentFileAside(path: string): void {
  try {
    renameSync(path, path.replace(/\.json$/, ".moved.json"));
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error; // another process of this machine was first
  }
}

/** Takes in the records that earlier versions left in files on a machine of a shared haven; once, then they are set aside. */
export async function adoptAgentFiles(
  connection: Connection,
  own: { readonly id: string; readonly haven: string; readonly host: string },
): Promise<void> {
  const layout = layoutOf(own.haven);
  const done = join(layout.agents, ".in-database");
  if (!existsSync(layout.agents) || existsSync(done)) return;
  const text = "SELECT 1 FROM jeeves_havens WHERE id = $1 AND moved IS NULL";
  if ((await connection.query(text, [own.id])).length === 0) return;
  for (const { path, taskId, host } of agentPlaces({ layout, digits: DEFAULT_DIGITS })) {
    const record = parseRecord(readBytesIfThere(path));
    if (record === undefined) continue;
    const agent = { taskId, host: host === "" ? own.host : host, record };
    await insertAgent(connection, own.id, agent, { isNew: true });
    setAgentFileAside(path);
  }
  closeSync(openSync(done, "a", 0o600));
}
