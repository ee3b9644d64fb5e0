// The network between a machine and the database: it can cut a connection right after the server was sent something and
// before the answer comes back, refuse connections, and let packets get lost.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  /** The database's address by way of this proxy. */
  readonly url: string;
  readonly cuts: number;
  /** How often one was asked for, those that were refused included. */
  readonly connections: number;
  /** The next connection that sends this word is cut once the server has it; the server's answer is thrown away. */
  cutAfter(word: string): void;
  /** New connections are closed at once, and those that are open are cut. */
  refuse(isRefusing: boolean): void;
  /** Nothing is passed on, in either direction, and nothing is closed: packets get lost. */
  drop(isDropping: boolean): void;
  close(): void;
}

export async function cuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let word: string | undefined;
  let cuts = 0;
  let connections = 0;
  let isRefusing = false;
  let isDropping = false;
  const server = createServer((client) => {
    client.on("error", () => {});
    connections += 1;
    if (isRefusing) return client.destroy();
    const database = connect(Number(target.port), target.hostname);
    const pair = [client, database] as const;
    pairs.add(pair);
    let isCut = false;
    database.on("error", () => client.destroy());
    client.on("data", (chunk: Buffer) => {
      if (isDropping) return;
      if (word !== undefined && chunk.includes(word)) {
        word = undefined;
        cuts += 1;
        isCut = true;
      }
      database.write(chunk);
    });
    database.on("data", (chunk: Buffer) => {
      if (isDropping) return;
      // The server has answered: so it has done what it was sent.
      if (isCut) client.destroy();
      else client.write(chunk);
    });
    client.on("close", () => {
      pairs.delete(pair);
      if (!isCut) database.destroy();
      else database.end();
    });
    database.on("close", () => client.destroy());
    return undefined;
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = new URL(url);
  own.host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url: own.href.replaceAll("+", "%20"),
    get cuts() {
      return cuts;
    },
    get connections() {
      return connections;
    },
    cutAfter(next) {
      word = next;
    },
    refuse(next) {
      isRefusing = next;
      if (next) for (const [client] of pairs) client.destroy();
    },
    drop(next) {
      isDropping = next;
    },
    close() {
      for (const [client, database] of pairs) {
        client.destroy();
        database.destroy();
      }
      server.close();
    },
  };
}
