// What the bridge has to know of the lines that it carries: which are requests that must be answered, and where the
// operation id goes that makes a repeated call safe. A line is changed by inserting text, never by writing it anew.
import { isRecord } from "@jeeves/base";

/** Of `tools/call`: the server remembers the outcome under it, and answers a repeated call with that. */
export const OPERATION = "jeeves/operation";

/** A line of the client, as it is sent to the server. */
export interface ClientMessage {
  readonly text: string;
  /** Of a request: its id as JSON. Absent for everything that gets no answer. */
  readonly id?: string;
  readonly method?: string;
  /** The id, as JSON, of the request that this line takes back. */
  readonly cancels?: string;
}

/** Reads a line of the client; a call without an operation id gets this one. */
export function readClientLine(text: string, operation: () => string): ClientMessage {
  const message = parse(text);
  if (!isRecord(message) || typeof message.method !== "string") return { text };
  const { id, method } = message;
  const params = isRecord(message.params) ? message.params : {};
  if (id === undefined) {
    return method === "notifications/cancelled"
      ? { text, cancels: JSON.stringify(params.requestId) }
      : { text, method };
  }
  const request = { id: JSON.stringify(id), method };
  if (method !== "tools/call" || message.params === undefined) return { text, ...request };
  const meta = params._meta;
  if (isRecord(meta) && meta[OPERATION] !== undefined) return { text, ...request };
  const field = `${JSON.stringify(OPERATION)}:${JSON.stringify(operation())}`;
  const path = isRecord(meta) ? ["params", "_meta"] : ["params"];
  return { text: insert(text, path, isRecord(meta) ? field : `"_meta":{${field}}`), ...request };
}

/** The ids, as JSON, of the requests that a line of the server answers; undefined where it is no JSON. */
export function answeredIds(text: string): readonly string[] | undefined {
  const message = parse(text);
  if (message === undefined) return undefined;
  const all: readonly unknown[] = Array.isArray(message) ? message : [message];
  return all.filter(isRecord).flatMap((one) => ("id" in one && !("method" in one) ? [JSON.stringify(one.id)] : []));
}

/** The same request under another id. */
export function withId(text: string, id: string): string {
  return JSON.stringify({ ...Object(parse(text)), id });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Puts a field first into the object at this path. Keys are compared as they are written. */
function insert(text: string, path: readonly string[], field: string): string {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;
  const keys: string[] = [];
  let last = "";
  let isArray: boolean[] = [];
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [sign] = found;
    if (sign === ":") keys[isArray.length - 1] = last;
    else if (sign === "{" || sign === "[") {
      isArray = [...isArray, sign === "["];
      const isThere =
        sign === "{" && isArray.length === path.length + 1 && path.every((key, at) => keys[at] === JSON.stringify(key));
      if (isThere && !isArray.includes(true)) {
        const at = token.lastIndex;
        const isEmpty = /^\s*\}/.test(text.slice(at));
        return `${text.slice(0, at)}${field}${isEmpty ? "" : ","}${text.slice(at)}`;
      }
    } else if (sign === "}" || sign === "]") isArray = isArray.slice(0, -1);
    else if (sign !== ",") last = sign;
  }
  return text; // a key written with escapes: the call goes without an operation id
}
