// JSON-RPC 2.0 as it lies on the wire: what one frame is, and the words of an answer (J-10).
// It knows no method; whether a method exists is for dispatch to say.
import { isAscii, isUtf8 } from "node:buffer";
import { isRecord } from "@jeeves/base";

export type RequestId = string | number;

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Ours: JSON-RPC leaves -32000 and below to servers. */
export const SERVER_STOPPING = -32000;
export const ACCESS_DENIED = -32003;

// Drops a byte order mark.
const decoder = new TextDecoder();

/** The error of a JSON-RPC answer. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type Frame =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly failure: RpcFailure };

/** What bytes hold before it is looked at. */
export type Parsed =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "blank" }
  | { readonly kind: "unreadable"; readonly failure: RpcFailure };

export const UNREADABLE: Extract<Parsed, { kind: "unreadable" }> = {
  kind: "unreadable",
  failure: { code: PARSE_ERROR, message: "Parse error" },
};

/** Never throws, whatever the bytes. */
export function parseJson(bytes: Uint8Array): Parsed {
  // The parser's own words quote the text and differ between versions of Node: they stay here. Bytes that are no UTF-8
  // are refused rather than replaced: a command or a path would no longer be the one that was sent.
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

/** What a parsed message is; a batch is none. */
export function toFrame(value: unknown): Frame {
  if (Array.isArray(value)) return invalid(null, "batches are not supported");
  if (!isRecord(value)) return invalid(null, "a message is an object");
  const id = value.id;
  const knownId = isRequestId(id) ? id : null;
  if (value.jsonrpc !== "2.0") return invalid(knownId, 'jsonrpc must be "2.0"');
  if (typeof value.method !== "string") {
    // We ask clients nothing, so a response belongs to no request; answering one could start a ping-pong.
    return "result" in value || "error" in value ? { kind: "response" } : invalid(knownId, "method must be a string");
  }
  if (!("id" in value)) return { kind: "notification", method: value.method, params: value.params };
  if (knownId === null) return invalid(null, "id must be a string, or a number between -2^53 and 2^53");
  return { kind: "request", id: knownId, method: value.method, params: value.params };
}

/** J-18: the client learns that something broke and under which request id it was logged; nothing else. */
export function internalError(requestId: string): RpcFailure {
  return {
    code: INTERNAL_ERROR,
    message: "internal error",
    data: { jeeves: { schemaVersion: 1 }, request_id: requestId },
  };
}

/** JSON leaves U+2028 and U+2029 as they are, and many readers of lines end one there: Node's own does since 24. */
export function toLine(message: object): string {
  return JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** 1e400 parses to Infinity, which would go back as null, and 2^53 + 1 to 2^53: another request's answer. */
export function isRequestId(id: unknown): id is RequestId {
  if (typeof id !== "number") return typeof id === "string";
  return Number.isFinite(id) && (Number.isSafeInteger(id) || !Number.isInteger(id));
}

function invalid(id: RequestId | null, reason: string): Frame {
  return { kind: "invalid", id, failure: { code: INVALID_REQUEST, message: "Invalid Request", data: { reason } } };
}
