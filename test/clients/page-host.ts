// A host of the web on loopback: a proxy that answers every CONNECT itself, and a certificate that clients can be made
// to trust. Clients fetch pages over TLS alone.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";

export interface PageHost {
  /** What a client's environment needs to fetch from it, and from nowhere else. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Serves `pages`, by their paths, as Markdown; every name leads here, and `host` is proved. */
export async function startPageHost(
  host: string,
  pages: Readonly<Record<string, string>>,
  dir: string,
): Promise<PageHost> {
  await mkdir(dir, { recursive: true });
  const [key, certificate] = [join(dir, "host.key"), join(dir, "host.pem")];
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...made, ...names], { stdio: "ignore" });
  const site = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    ({ url = "" }, response) => {
      const page = pages[url];
      response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/markdown; charset=utf-8" });
      response.end(page ?? "not here");
    },
  );
  const sitePort = await listen(site);
  const sockets = new Set<Socket>();
  const proxy = createServer((_, response) => response.writeHead(502).end());
  proxy.on("connect", (_, client: Socket) => {
    const inside = connect(sitePort, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      client.pipe(inside).pipe(client);
    });
    for (const socket of [client, inside]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
  });
  const address = `http://127.0.0.1:${await listen(proxy)}`;
  return {
    env: { HTTP_PROXY: address, HTTPS_PROXY: address, ALL_PROXY: address, NODE_EXTRA_CA_CERTS: certificate },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([site, proxy].map((server) => new Promise((done) => server.close(done))));
    },
  };
}

function listen(server: Pick<Server, "listen" | "address" | "once" | "off">): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      server.off("error", fail);
      done((server.address() as AddressInfo).port);
    });
  });
}
