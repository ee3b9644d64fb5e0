// The mark in the header of our SQLite files: they are recognised by content, not by name.

/** "Jeev", for `pragma application_id`. */
export const SQLITE_APPLICATION_ID = 0x4a656576;

const MAGIC = "SQLite format 3\0";
const ID_OFFSET = 68;

/** Whether these are the first bytes (72 or more) of an SQLite file with our application id. */
export function isOwnSqlite(head: Buffer): boolean {
  return (
    head.length >= ID_OFFSET + 4 &&
    head.toString("latin1", 0, MAGIC.length) === MAGIC &&
    head.readUInt32BE(ID_OFFSET) === SQLITE_APPLICATION_ID
  );
}
