// Listens on a port. Where it is in use, the error names the process that may have it.
import type { Server } from "node:http";
import { systemCodeOf } from "@jeeves/base";
import { toUrlHost } from "./addresses.ts";
import { findPortHolder } from "./port-holder.ts";

/** Why a server cannot listen: the port is in use, or the address cannot be used. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly code: "port_in_use" | "cannot_listen";

  constructor(code: ListenError["code"], message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOTFOUND: ", no such host is known",
  EAI_AGAIN: ", the host's name cannot be looked up now",
  EADDRNOTAVAIL: ", the host is no address of this machine",
  EACCES: ", this port is not for everyone; choose another port",
};

/** Resolves with the port, which is the system's choice where 0 was asked for. */
export async function listen(server: Server, where: { readonly host: string; readonly port: number }): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ ...where, exclusive: true }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (cause) {
    throw await toListenError(cause, where);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : where.port;
}

async function toListenError(cause: unknown, where: { readonly host: string; readonly port: number }) {
  const place = `${toUrlHost(where.host)}:${where.port}`;
  const code = systemCodeOf(cause) ?? String(cause);
  if (code !== "EADDRINUSE")
    return new ListenError("cannot_listen", `cannot listen on ${place}: ${code}${WHY[code] ?? ""}`, cause);
  const holder = (await findPortHolder(where.port)) ?? `another process (ss -ltnp 'sport = :${where.port}' may tell)`;
  return new ListenError("port_in_use", `${place} is in use by ${holder}; choose another port`, cause);
}
