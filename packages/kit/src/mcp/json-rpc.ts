// JSON-RPC 2.0 on the wire: how a message is parsed, and the form of an answer (J-10). Whether a method
// exists is decided in dispatch.ts.
import { isAscii, isUtf8 } from "node:buffer";
import { isRecord } from "@jeeves/base";

/** The id that a client gives to a request. */
export type RequestId = string | number;

/** The message is not JSON. */
export const PARSE_ERROR = -32700;
/** The message is JSON, but not a JSON-RPC request. */
export const INVALID_REQUEST = -32600;
/** The server has no such method. */
export const METHOD_NOT_FOUND = -32601;
/** The parameters do not match the method's schema. */
export const INVALID_PARAMS = -32602;
/** An unexpected error, whose details are only in the log. */
export const INTERNAL_ERROR = -32603;
/** Ours: JSON-RPC leaves -32000 and below to servers. */
export const SERVER_STOPPING = -32000;
/** Ours: the caller may not make this call. */
export const ACCESS_DENIED = -32003;

// The default options drop a byte order mark.
const decoder = new TextDecoder();

/** The error of a JSON-RPC answer. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** One message from a client. `invalid` has the error to answer with; a `response` is not answered. */
export type Frame =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly failure: RpcFailure };

/** Parsed bytes, not yet checked to be a message. `blank`: only whitespace. */
export type Parsed =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "blank" }
  | { readonly kind: "unreadable"; readonly failure: RpcFailure };

/** The parse result of bytes that are not JSON, with its error. */
export const UNREADABLE: Extract<Parsed, { kind: "unreadable" }> = {
  kind: "unreadable",
  failure: { code: PARSE_ERROR, message: "Parse error" },
};

/** Parses bytes as UTF-8 JSON. Never throws. */
export function parseJson(bytes: Uint8Array): Parsed {
  // The parser's message quotes the text and differs between versions of Node, so it is not passed on. Bytes that are not
  // UTF-8 are refused rather than replaced: a command or a path would no longer be the one that was sent.
  if (!isUtf8(bytes)) return UNREADABLE;
  const text = decode(bytes);
  if (text.trim() === "") return { kind: "blank" };
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return UNREADABLE;
  }
}

/** Most frames are plain ASCII, which needs no decoding. */
function decode(bytes: Uint8Array): string {
  if (!isAscii(bytes)) return decoder.decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Classifies a parsed message. A batch is `invalid` here. */
export function toFrame(value: unknown): Frame {
  if (Array.isArray(value)) return invalid(null, "batches are not supported");
  if (!isRecord(value)) return invalid(null, "a message is an object");
  const id = value.id;
  const knownId = isRequestId(id) ? id : null;
  if (value.jsonrpc !== "2.0") return invalid(knownId, 'jsonrpc must be "2.0"');
  if (typeof value.method !== "string") {
    // We send no requests, so a response belongs to none; answering it could start an endless exchange.
    return "result" in value || "error" in value ? { kind: "response" } : invalid(knownId, "method must be a string");
  }
  if (!("id" in value)) return { kind: "notification", method: value.method, params: value.params };
  if (knownId === null) return invalid(null, "id must be a string, or a number between -2^53 and 2^53");
  return { kind: "request", id: knownId, method: value.method, params: value.params };
}

/** J-18: the client gets only the request id under which the error was logged. */
export function internalError(requestId: string): RpcFailure {
  return {
    code: INTERNAL_ERROR,
    message: "internal error",
    data: { jeeves: { schemaVersion: 1 }, request_id: requestId },
  };
}

/** A message as one line of JSON. U+2028 and U+2029 are escaped, because many line readers (Node's since 24) split there. */
export function toLine(message: object): string {
  return JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Refuses numbers that would not go back as sent: 1e400 parses to Infinity, and 2^53 + 1 to 2^53, another request's id. */
export function isRequestId(id: unknown): id is RequestId {
  if (typeof id !== "number") return typeof id === "string";
  return Number.isFinite(id) && (Number.isSafeInteger(id) || !Number.isInteger(id));
}

function invalid(id: RequestId | null, reason: string): Frame {
  return { kind: "invalid", id, failure: { code: INVALID_REQUEST, message: "Invalid Request", data: { reason } } };
}
