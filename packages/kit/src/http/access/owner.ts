// Who may use what is not open: the user who started the server. Proof is a token, or the uid of the peer's
// socket. A browser acts for pages of any site, and a proxy for any client, so neither is known by its uid.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { hostPortOf } from "../addresses.ts";
import { HttpError } from "../http-error.ts";
import { type Accepted, createPeerOwners, type PeerOwner } from "./peer-owner.ts";
import { bearerOf, isSameToken } from "./same-token.ts";

export interface OwnerProof {
  /** To be called when a connection is accepted: later its peer may be gone. */
  watch(socket: Accepted & object): void;
  isOwn(socket: object): Promise<boolean>;
  /** The peer had closed its socket before it was known who it is. */
  isGone(socket: object): boolean;
  hasToken(given: string | undefined): boolean;
}

interface OwnerProofOptions {
  readonly tokens: readonly string[];
  /** Whether the uid of the peer's socket is a proof. */
  readonly byUid: boolean;
}

/** One answer per connection, kept for its life. */
export function createOwnerProof({ tokens, byUid }: OwnerProofOptions): OwnerProof {
  const peers = byUid ? createPeerOwners() : undefined;
  const known = new WeakMap<object, Promise<PeerOwner>>();
  const gone = new WeakSet<object>();
  return {
    watch(socket) {
      if (peers === undefined) return;
      const looked = peers.ownerOf(socket);
      known.set(socket, looked);
      void looked.then((owner) => {
        if (owner === "gone") gone.add(socket);
      });
    },
    isOwn: async (socket) => (await known.get(socket)) === "own",
    isGone: (socket) => gone.has(socket),
    hasToken: (given) => given !== undefined && tokens.some((token) => isSameToken(given, token)),
  };
}

export async function isOwnersRequest(request: IncomingMessage, proof: OwnerProof): Promise<boolean> {
  const { headers, socket } = request;
  if (proof.hasToken(bearerOf(headers.authorization))) return true;
  return !isForAnother(headers, socket.localPort) && (await proof.isOwn(socket));
}

const SIGNS_OF_ANOTHER: ReadonlySet<string> = new Set([
  "origin",
  "sec-fetch-site",
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "true-client-ip",
  "cf-connecting-ip",
]);

/** A request of a browser, or one that a proxy passes on: it names one, or was sent to another port than ours. */
function isForAnother(headers: IncomingHttpHeaders, ownPort: number | undefined): boolean {
  if (hostPortOf(headers.host ?? "") !== ownPort) return true;
  return Object.keys(headers).some((name) => SIGNS_OF_ANOTHER.has(name) || name.startsWith("x-forwarded-"));
}

const HINT = "`jeeves token` prints it";

export function unauthorized(tokenHint = HINT): HttpError {
  const message = `only the user who started this server may do that: send Authorization: Bearer <token>; ${tokenHint}`;
  return new HttpError(401, "unauthorized", message, { headers: { "www-authenticate": "Bearer" } });
}
