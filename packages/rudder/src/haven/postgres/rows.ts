// Rows of the database as the values that rules and queries work with, and back. An artefact is kept as its text; bytes
// that PostgreSQL's text cannot hold (no UTF-8, or with a NUL) are kept as they are beside it.
import { hostname } from "node:os";
import { isRecord } from "@jeeves/base";
import { currentProcess, isProcessIdentity, livenessOf, type ProcessIdentity, type Row } from "@jeeves/state";
import { type Artefact, type ArtefactPlace, readArtefact, toArtefact } from "../../artefact/artefact.ts";
import { DEFAULT_DIGITS, type Digits, type Kind, normaliseId, readId } from "../../ids.ts";
import { type Caller, isSameCaller, type Lease } from "../../lease/lease.ts";
import { toLivePath } from "../archive.ts";
import type { Assignment, StoredArtefact } from "../store.ts";

/** An artefact that a row holds, with what decides whether it is still the same one. */
export interface RowArtefact extends StoredArtefact {
  readonly version: number;
  readonly state: "live" | "archived" | "removed";
}

/** Columns of an artefact's text. */
interface TextColumns {
  readonly body: string | null;
  readonly raw: Buffer | null;
}

/** The columns for a text or for bytes. */
export function toTextColumns(data: string | Uint8Array): TextColumns {
  const bytes =
    typeof data === "string" ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const text = bytes.toString("utf8");
  const isText = !text.includes("\0") && Buffer.from(text).equals(bytes);
  return isText ? { body: text, raw: null } : { body: null, raw: bytes };
}

/** The bytes of a row. */
export function bytesOf(row: Row): Buffer {
  return Buffer.isBuffer(row.raw) ? row.raw : Buffer.from(typeof row.body === "string" ? row.body : "");
}

/** The name of an id's row: one for one number, however many digits a project shows. */
export function keyOf(id: string): string {
  return normaliseId(id) ?? id;
}

/** The fields of an artefact's text, for the columns that queries look at; ids in the form of the keys. */
export function toColumns(key: string, path: string, text: string) {
  const artefact = readArtefact(text, placeOf(key, path, DEFAULT_DIGITS), DEFAULT_DIGITS);
  const { kind, number } = readId(key) ?? { kind: "task" as Kind, number: 0 };
  return {
    kind,
    number,
    fields: JSON.stringify(artefact),
    epic: kind === "task" ? (artefact.epic ?? null) : null,
    blockers: [...new Set(artefact.blockedBy)].filter((id) => id !== key && !id.includes("\0")),
  };
}

/** An artefact with its text. */
export function toStored(row: Row, digits: Digits): RowArtefact {
  const key = String(row.key);
  const path = String(row.path);
  const bytes = bytesOf(row);
  const text = bytes.toString("utf8");
  const place = placeOf(key, path, digits);
  const state = row.state === "archived" ? "archived" : row.state === "removed" ? "removed" : "live";
  const artefact = readArtefact(text, place, digits);
  return { id: place.id, kind: place.kind, path, text, bytes, artefact, version: Number(row.version), state };
}

/** Its fields alone; `fields` were read with the usual number of digits. */
export function toFields(row: Row, digits: Digits): Artefact {
  const known: unknown = JSON.parse(String(row.fields));
  const artefact = toArtefact(known as Artefact);
  return digits === DEFAULT_DIGITS || isUsual(digits) ? artefact : withDigits(artefact, digits);
}

function isUsual(digits: Digits): boolean {
  return Object.values(digits).every((count) => count === 3);
}

function withDigits(artefact: Artefact, digits: Digits): Artefact {
  const own = (id: string): string => normaliseId(id, digits) ?? id;
  const { prd, epic } = artefact;
  return toArtefact({
    ...artefact,
    id: own(artefact.id),
    prd: prd === undefined ? undefined : own(prd),
    epic: epic === undefined ? undefined : own(epic),
    blockedBy: artefact.blockedBy.map(own),
    stories: artefact.stories.map(own),
  });
}

function placeOf(key: string, path: string, digits: Digits): ArtefactPlace {
  const { kind } = readId(key) ?? { kind: "task" as Kind };
  const prd = normaliseId(/^artefacts\/prds\/(PRD-?\d+)/i.exec(toLivePath(path))?.[1] ?? "", digits);
  return { kind, id: normaliseId(key, digits) ?? key, path, ...(prd === undefined ? {} : { prd }) };
}

/** What a row keeps of a lease beyond the lease itself. */
interface KeptLease extends Omit<Lease, "isHolderGone"> {
  readonly host: string;
  /** The process of a bare connection. Only its own machine can tell whether it lives. */
  readonly process?: ProcessIdentity | undefined;
  readonly isLeft: boolean;
}

/** The lease of a row; undefined where there is none. */
export function toLease(row: Row, taskId: string): Lease | undefined {
  const kept = readLease(row.lease);
  if (kept === undefined) return undefined;
  const { host: _host, process, isLeft, ...lease } = kept;
  const isBare = lease.holder.kind === "connection";
  const isDead = process !== undefined && !isOwn(process) && livenessOf(process) === "dead";
  return { ...lease, taskId, isHolderGone: isBare && (isLeft || isDead) };
}

function isOwn(one: ProcessIdentity): boolean {
  const here = currentProcess();
  return one.pid === here.pid && one.startTicks === here.startTicks && one.bootId === here.bootId;
}

/** The column for a lease; a renewal of what a bare connection holds leaves noted whose it is. */
export function toLeaseColumn(lease: Lease, before: unknown): string {
  const { isHolderGone, ...rest } = lease;
  const old = readLease(before);
  const isSame = old !== undefined && isSameCaller(old.holder, lease.holder) && old.token === lease.token;
  const isBare = lease.holder.kind === "connection";
  const process = !isBare ? undefined : isSame ? old.process : currentProcess();
  const kept: KeptLease = {
    ...rest,
    host: isSame ? old.host : hostname(),
    ...(process === undefined ? {} : { process }),
    isLeft: isBare && isHolderGone,
  };
  return JSON.stringify(kept);
}

/** The same lease, of a connection that has ended. */
export function toLeftColumn(lease: unknown): string | undefined {
  const kept = readLease(lease);
  return kept === undefined ? undefined : JSON.stringify({ ...kept, isLeft: true });
}

/** What a row keeps of a lease. */
export function readLease(column: unknown): KeptLease | undefined {
  if (typeof column !== "string") return undefined;
  const value: unknown = JSON.parse(column);
  if (!isRecord(value) || !isRecord(value.holder)) return undefined;
  const { process } = value;
  return {
    taskId: String(value.taskId),
    holder: { kind: value.holder.kind === "name" ? "name" : "connection", name: String(value.holder.name) },
    token: Number(value.token),
    operation: String(value.operation),
    startedAtMs: Number(value.startedAtMs),
    expiresAtMs: Number(value.expiresAtMs),
    ttlMs: Number(value.ttlMs),
    pid: Number(value.pid),
    host: String(value.host),
    ...(isProcessIdentity(process) ? { process } : {}),
    isLeft: value.isLeft === true,
  };
}

/** Former holders. */
export function toLost(column: unknown): readonly Caller[] {
  const value: unknown = typeof column === "string" ? JSON.parse(column) : [];
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(({ kind, name }) => ({
    kind: kind === "name" ? ("name" as const) : ("connection" as const),
    name: String(name),
  }));
}

/** What became of a claim. */
export function toAssignment(column: unknown, taskId: string): Assignment | undefined {
  if (typeof column !== "string") return undefined;
  const value = JSON.parse(column) as Assignment;
  return { ...value, taskId };
}
