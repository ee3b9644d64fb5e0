// completes an `initialize` on an event stream before the SDK gets it: the SDK requires fields that our clients may
// leave out. It validates nothing: wrong values stay as they are.
import { isRecord } from "@jeeves/base";

/** The completed message; undefined for any other message. */
export async function readInitialize(request: Request): Promise<unknown> {
  if (request.method !== "POST" || !/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) return;
  const copy = request.clone();
  const message: unknown = await copy.json().catch(() => undefined);
  if (!isRecord(message) || message.method !== "initialize") return;
  if (!isRecord(message.params)) return message;
  const { capabilities = {}, clientInfo = { name: "" } } = message.params;
  const info = isRecord(clientInfo) ? { version: "", ...clientInfo } : clientInfo;
  return { ...message, params: { ...message.params, capabilities, clientInfo: info } };
}
