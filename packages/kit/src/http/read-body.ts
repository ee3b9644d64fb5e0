// The body of one request, whole or refused: within its own limit, and within that of all requests together.
import type { IncomingMessage } from "node:http";
import { busy, HttpError } from "./http-error.ts";

/** The bytes that all requests of a server have in memory now. */
export interface BodyBudget {
  readonly maxBytes: number;
  heldBytes: number;
}

interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly budget: BodyBudget;
}

/** Reads a body. The caller must call `release` once it no longer needs the bytes, so that they no longer count. */
export async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<{ readonly bytes: Uint8Array; release(): void }> {
  const { maxBodyBytes, budget } = limits;
  const tooLarge = () => new HttpError(413, "payload_too_large", `a body may have ${maxBodyBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let held = 0;
  const release = () => {
    budget.heldBytes -= held;
    held = 0;
  };
  try {
    // Not iterated: leaving a loop early would destroy the connection before the refusal is sent.
    await new Promise<void>((resolve, reject) => {
      const onData = (part: Buffer) => {
        held += part.length;
        budget.heldBytes += part.length;
        if (held > maxBodyBytes) fail(tooLarge());
        else if (budget.heldBytes > budget.maxBytes) fail(busy("too_busy", "too many bytes are being worked on"));
        else parts.push(part);
      };
      const fail = (error: Error) => {
        request.off("data", onData);
        reject(error);
      };
      const onGone = () => fail(new HttpError(400, "aborted", "the body never ended"));
      const onEnd = () => {
        request.off("close", onGone); // which every request emits
        resolve();
      };
      request.on("data", onData).once("end", onEnd);
      request.once("error", onGone).once("close", onGone); // an error here is a client that is gone, not a bug of ours
    });
    const [first, ...others] = parts;
    return { bytes: first !== undefined && others.length === 0 ? first : Buffer.concat(parts), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Refuses a request whose Content-Type is not JSON (415). */
export function requireJson(request: IncomingMessage): void {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new HttpError(415, "unsupported_media_type", "Content-Type must be application/json");
  }
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") {
    throw new HttpError(415, "unsupported_media_type", `Content-Encoding ${encoding} is not read here`);
  }
}
