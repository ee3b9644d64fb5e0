// Refusals by HTTP itself, before any protocol above it: a status, a code and a message for the client (D-06).

/** A refusal with its status, its code and a message for the client. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: unknown;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly details?: unknown } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
    this.details = options.details;
  }
}

/** 503 with `Retry-After`. Requests are not queued. */
export function busy(code: string, message: string): HttpError {
  return new HttpError(503, code, message, { headers: { "retry-after": "1" } });
}

/** 405, with the methods that are allowed. */
export function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  const message = `method ${method} not allowed; use ${allowed.join(" or ")}`;
  return new HttpError(405, "method_not_allowed", message, { headers: { allow: allowed.join(", ") } });
}
