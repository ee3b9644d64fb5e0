// Parsers for the values of options. Each throws commander's InvalidArgumentError with what would be right; commander
// adds the option's name. Those with a second parameter are for options that may be given more than once.

import { parseCount as toCount, parsePort as toPort } from "@jeeves/base";
import { CLIENTS, type ClientId } from "@jeeves/base/clients";
import { InvalidArgumentError } from "commander";
import { parseSince as toSince } from "../stats/period.ts";

/** Lines of a text, counted from 1; both ends are included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** Characters of a text, counted from 1; both ends are included. */
export interface CharRange {
  readonly startChar: number;
  readonly endChar: number;
}

/** A number from 0 to 1. */
export function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() === "" || !(share >= 0 && share <= 1))
    throw new InvalidArgumentError("A number from 0 to 1, such as 0.2.");
  return share;
}

/** Lines as `120-154` or `7`. */
export function parseRange(text: string, before: readonly LineRange[] = []): readonly LineRange[] {
  const found = /^(\d+)(?:-(\d+))?$/.exec(text);
  const startLine = Number(found?.[1]);
  const endLine = Number(found?.[2] ?? found?.[1]);
  if (!(startLine >= 1 && startLine <= endLine)) throw new InvalidArgumentError("Lines such as 120-154, or 7.");
  return [...before, { startLine, endLine }];
}

/** Characters as `1025-42224`. */
export function parseChars(text: string, before: readonly CharRange[] = []): readonly CharRange[] {
  const found = /^(\d{1,15})-(\d{1,15})$/.exec(text);
  const [startChar, endChar] = [Number(found?.[1]), Number(found?.[2])];
  if (!(startChar >= 1 && startChar <= endChar))
    throw new InvalidArgumentError("Characters such as 1025-42224, as a marker names them.");
  return [...before, { startChar, endChar }];
}

/** A question, without the blanks around it; it must not be empty. */
export function parseFocus(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("What you want to know; it must not be empty.");
  return text.trim();
}

/** A whole number, at least 1. */
export function parseCount(text: string): number {
  const count = toCount(text);
  if (count === undefined) throw new InvalidArgumentError("A whole number, at least 1.");
  return count;
}

/** Seconds, more than 0. Beyond 24 days a timer would fire at once. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === "" || !(seconds > 0 && seconds <= 2_000_000))
    throw new InvalidArgumentError("Seconds, more than 0 and at most 2000000.");
  return seconds;
}

/** An address or a name. An empty one is refused: it would listen on every address. */
export function parseHost(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("An address or a name, such as 127.0.0.1.");
  return text;
}

/** A port; 0 is any free one. */
export function parsePort(text: string): number {
  const port = toPort(text);
  if (port === undefined) throw new InvalidArgumentError("A port: 0 (any free one) to 65535.");
  return port;
}

/** The beginning of a period, in milliseconds since 1970. */
export function parseSince(text: string): number {
  const ms = toSince(text, Date.now());
  if (ms === undefined) throw new InvalidArgumentError("A time such as 7d, 12h, 2w or 2026-11-01, or all.");
  return ms;
}

/** A client's id, added to those before; a repeated one counts once. */
export function parseClient(text: string, before: readonly ClientId[] = []): readonly ClientId[] {
  const client = CLIENTS.find(({ id }) => id === text);
  const names = CLIENTS.map(({ id }) => id);
  if (client === undefined) throw new InvalidArgumentError(`Allowed choices are ${names.join(", ")}.`);
  return [...new Set([...before, client.id])];
}

/** Any text, added to those before. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
