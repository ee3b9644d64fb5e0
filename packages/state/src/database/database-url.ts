// JEEVES_DATABASE_URL: the address of the shared store. It holds a password, so it is only ever shown as
// `shownDatabase` gives it.
import { DatabaseError } from "./database-error.ts";

const EXAMPLE = "postgres://USER:PASSWORD@HOST:5432/DATABASE";

/** The address in JEEVES_DATABASE_URL; undefined where it is not set. Throws a DatabaseError where it is wrong. */
export function databaseUrlOf(env: NodeJS.ProcessEnv): string | undefined {
  const text = env.JEEVES_DATABASE_URL?.trim();
  if (text === undefined || text === "") return undefined;
  requireDatabaseUrl(text, "JEEVES_DATABASE_URL");
  return text;
}

/** Throws a DatabaseError `invalid_url` unless a text is an address of PostgreSQL; `name` tells where it comes from. */
export function requireDatabaseUrl(text: string, name: string): void {
  const url = parse(text);
  if (url === undefined) throw wrong(`${name} is no address`);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") {
    throw wrong(`${name} has the scheme ${url.protocol.slice(0, 30)} which is not PostgreSQL's`);
  }
  if (url.pathname.length < 2) throw wrong(`${name} names no database after the host`);
}

/** The address for people and logs, `postgres://user@host:port/database`: without password and options. */
export function shownDatabase(text: string): string {
  const url = parse(text);
  if (url === undefined) return "(no address)";
  const user = url.username === "" ? "" : `${url.username}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}`;
}

/** A message with the password of the address masked. */
export function withoutSecrets(message: string, text: string): string {
  const url = parse(text);
  let shown = message.replaceAll(text, shownDatabase(text));
  const secrets = [url?.password ?? "", ...(url?.searchParams.getAll("password") ?? [])];
  for (const secret of secrets.flatMap((one) => [one, decoded(one)])) {
    if (secret.length > 0) shown = shown.replaceAll(secret, "***");
  }
  return shown;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function wrong(message: string): DatabaseError {
  return new DatabaseError("invalid_url", message, {
    hint: `it looks like ${EXAMPLE}; TLS by ?sslmode=verify-full. Unset it to keep everything on this machine`,
  });
}
