// Refusals by the SDK's HTTP entries, with the messages of our contract (J-19, J-23). Status, code and id are kept, because
// the protocol prescribes them. Answers of our own methods do not come here.
import { isRecord } from "@jeeves/base";
import type { Dispatcher } from "../dispatch.ts";
import { INVALID_REQUEST, isRequestId, PARSE_ERROR, parseJson, toFrame } from "../json-rpc.ts";
import { failureReply, type Reply } from "../reply.ts";
import { inOurWords } from "../sdk/sdk-failures.ts";

/** A refused request: its head, and its body where it has one. */
interface Refused {
  readonly request: Request;
  readonly body: Uint8Array | undefined;
}

const HEADER_MISMATCH = -32_020;
/** The SDK's code for a request whose headers do not match its session. */
const SDK_REFUSAL = -32_000;
const SESSION_NOT_FOUND = -32_001;
const HEADERS_DISAGREE =
  "MCP-Protocol-Version, Mcp-Method and Mcp-Name must be there and say what the body says: its version, its method, " +
  "and the name that its params carry";

const WORDS_OF_STATUS: Readonly<Record<number, readonly [message: string, reason: string]>> = {
  405: ["Method Not Allowed", "use POST"],
  406: ["Not Acceptable", "Accept must name text/event-stream, and for a POST application/json, too"],
  409: ["Conflict", "the session has an event stream already"],
  415: ["Unsupported Media Type", "Content-Type must be application/json"],
};

/** The response with its error replaced by ours; a response without an error is returned unchanged. */
export async function refuseInOurWords(response: Response, on: Refused, dispatcher: Dispatcher): Promise<Response> {
  if (!/^application\/json\b/i.test(response.headers.get("content-type") ?? "")) return response;
  const text = await response.text();
  const reply = replyInOurWords(text, { ...on, status: response.status }, dispatcher);
  reply?.sent();
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(reply?.text ?? text, { status: response.status, headers });
}

function replyInOurWords(
  text: string,
  on: Refused & { readonly status: number },
  dispatcher: Dispatcher,
): Reply | undefined {
  const { error, id: given } = toRecord(jsonIn(Buffer.from(text)));
  if (!isRecord(error) || typeof error.code !== "number") return undefined;
  const id = isRequestId(given) ? given : null;
  const { code, data } = error;
  const asked = on.body === undefined ? undefined : jsonIn(on.body);
  const refuse = (message: string, reason: string) => failureReply(id, { code, message, data: { reason } });

  const known = WORDS_OF_STATUS[on.status];
  if (known !== undefined) return refuse(...known);
  switch (code) {
    case PARSE_ERROR:
    case INVALID_REQUEST:
      return asked === undefined ? dispatcher.unreadable() : dispatcher.refuse(reasonAgainst(asked), id ?? undefined);
    case HEADER_MISMATCH:
      return refuse("Header mismatch", HEADERS_DISAGREE);
    case SDK_REFUSAL:
      return refuse("Bad Request", reasonAgainstHead(on.request));
    case SESSION_NOT_FOUND:
      return failureReply(id, { code, message: "Session not found" });
    default: {
      const { method, params } = toRecord(asked);
      const what = { method: typeof method === "string" ? method : "", params };
      return failureReply(id, inOurWords({ code, message: String(error.message), data }, what, dispatcher.context));
    }
  }
}

function reasonAgainst(value: unknown): string {
  if (Array.isArray(value)) return "a batch holds messages only, at least one; MCP 2026-07-28 has no batches";
  const frame = toFrame(value);
  if (frame.kind === "invalid") return String(frame.failure.data?.reason ?? "");
  if (frame.kind === "request" && frame.method === "initialize" && isRecord(frame.params)) {
    return "initialize opens a session: send it once, and without Mcp-Session-Id";
  }
  if (frame.kind === "request" && !Number.isInteger(frame.id) && typeof frame.id === "number") {
    return "id must be a string or an integer";
  }
  return "params must be an object, and params._meta.progressToken a string or an integer";
}

function reasonAgainstHead({ headers }: Request): string {
  if (headers.get("mcp-session-id") === null) {
    return "send initialize first, then Mcp-Session-Id with each request; or the envelope of MCP 2026-07-28 in params._meta";
  }
  return `MCP-Protocol-Version is ${headers.get("mcp-protocol-version")}, which is no version that this server speaks`;
}

function jsonIn(bytes: Uint8Array): unknown {
  const parsed = parseJson(bytes);
  return parsed.kind === "value" ? parsed.value : undefined;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
