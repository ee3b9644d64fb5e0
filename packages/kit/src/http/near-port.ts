// A server on the port that was asked for, or on the next one that is free, with the reason for the move.
import { ListenError } from "./listen.ts";

const PORTS_TRIED = 20;
const LAST_PORT = 65_535;

/** A server that listens on the port that was asked for, or near it. */
export interface Near<T> {
  readonly server: T;
  /** Set where the port differs: why the requested one could not be had. */
  readonly moved?: string;
}

/** Calls `serve` with one port after the other, up to a limit, while it rejects because its port is in use. */
export async function serveNear<T>(port: number, serve: (port: number) => Promise<T>): Promise<Near<T>> {
  let moved: string | undefined;
  for (let at = port; ; at++) {
    try {
      return { server: await serve(at), ...(moved === undefined ? {} : { moved }) };
    } catch (error) {
      const isTaken = error instanceof ListenError && error.code === "port_in_use";
      if (!isTaken || at + 1 >= port + PORTS_TRIED || at >= LAST_PORT) throw error;
      moved ??= error.message.replace(/; choose another port$/, "");
    }
  }
}
