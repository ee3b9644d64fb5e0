// the initialize of a client on an event stream, completed before the SDK sees it: the SDK needs what our clients
// may leave out. It judges nothing; what is wrong stays wrong.
import { isRecord } from "@jeeves/base";

/** undefined for any other message. */
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
