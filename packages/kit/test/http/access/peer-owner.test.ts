// Who is at the other end of a TCP connection: the tables as the kernel writes them, and real connections.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { endianness, networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Accepted,
  createPeerOwners,
  type PeerOwner,
  type PeerOwners,
} from "../../../src/http/access/peer-owner.ts";
import { canBeOtherUser, startOtherUser, tellsPeers } from "../other-user.ts";

const UID = 1000;
const OWN_INODE = "777";
const isLinux = process.platform === "linux";

interface RowGiven {
  readonly state?: string;
  readonly uid?: number;
  readonly inode?: number | string;
}

/** 127.0.0.1 as a number of this machine's order of bytes. */
const LOOPBACK = endianness() === "LE" ? "0100007F" : "7F000001";
const MAPPED = endianness() === "LE" ? "0000000000000000FFFF00000100007F" : "00000000000000000000FFFF7F000001";
const SIX = endianness() === "LE" ? "00000000000000000000000001000000" : "00000000000000000000000000000001";
const HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const peer = (address: string) => `${address}:D2F0 ${address}:1F90`;
const own = (address: string) => `${address}:1F90 ${address}:D2F0`;

function row(ends: string, { state = "01", uid = UID, inode = 4711 }: RowGiven = {}): string {
  const padded = String(uid).padStart(5);
  return `   3: ${ends} ${state} 00000000:00000000 00:00000000 00000000 ${padded}        0 ${inode} 1 0000000000000000 20 4 30 10 -1`;
}

const ownRow = (address = LOOPBACK, given: RowGiven = {}) => row(own(address), { inode: OWN_INODE, ...given });

function given(tables: { readonly tcp?: readonly string[]; readonly tcp6?: readonly string[] }): PeerOwners {
  const proc = mkdtempSync(join(tmpdir(), "jeeves-proc-"));
  onTestFinished(() => rmSync(proc, { recursive: true, force: true }));
  mkdirSync(join(proc, "net"));
  for (const [name, rows] of Object.entries(tables)) {
    writeFileSync(join(proc, "net", name), `${[HEAD, ...rows].join("\n")}\n`);
  }
  const owners = createPeerOwners({ proc, uid: UID, inodeOf: () => OWN_INODE });
  if (owners === undefined) throw new Error("nothing can be told here");
  return owners;
}

function connection(address = "127.0.0.1"): Accepted {
  return { localAddress: address, localPort: 0x1f90, remoteAddress: address, remotePort: 0xd2f0 };
}

describe.runIf(isLinux)("X-55 the tables", () => {
  it.each<[string, PeerOwner, Parameters<typeof given>[0], string]>([
    ["our own user", "own", { tcp: [row(peer(LOOPBACK)), ownRow()] }, "127.0.0.1"],
    [
      "a client that has closed its half",
      "other",
      { tcp: [row(peer(LOOPBACK), { state: "05" }), ownRow(LOOPBACK, { state: "08" })] },
      "127.0.0.1",
    ],
    ["IPv6", "own", { tcp: [], tcp6: [row(peer(SIX)), ownRow(SIX)] }, "::1"],
    ["a client with an IPv6 socket", "own", { tcp: [ownRow()], tcp6: [row(peer(MAPPED))] }, "127.0.0.1"],
    ["a server with an IPv6 socket", "own", { tcp: [row(peer(LOOPBACK))], tcp6: [ownRow(MAPPED)] }, "::ffff:127.0.0.1"],
    ["another user", "other", { tcp: [row(peer(LOOPBACK), { uid: 1001 }), ownRow()] }, "127.0.0.1"],
    ["root", "other", { tcp: [row(peer(LOOPBACK), { uid: 0 }), ownRow()] }, "127.0.0.1"],
    [
      "a closed socket, which has no inode",
      "gone",
      { tcp: [row(peer(LOOPBACK), { inode: 0 }), ownRow()] },
      "127.0.0.1",
    ],
    ["a socket in TIME_WAIT", "other", { tcp: [row(peer(LOOPBACK), { state: "06" }), ownRow()] }, "127.0.0.1"],
    [
      "a connection that is only being made",
      "other",
      { tcp: [row(peer(LOOPBACK), { state: "02" }), ownRow()] },
      "127.0.0.1",
    ],
    ["our own end alone", "other", { tcp: [ownRow()] }, "127.0.0.1"],
    ["our own end alone, after the peer has closed", "gone", { tcp: [ownRow(LOOPBACK, { state: "08" })] }, "127.0.0.1"],
    [
      "a later connection from the same address",
      "other",
      { tcp: [row(peer(LOOPBACK)), ownRow(LOOPBACK, { inode: 0 })] },
      "127.0.0.1",
    ],
    ["a peer whose end with us is gone", "other", { tcp: [row(peer(LOOPBACK))] }, "127.0.0.1"],
    ["an empty table", "other", { tcp: [] }, "127.0.0.1"],
    ["no tables", "other", {}, "127.0.0.1"],
    [
      "rows that make no sense",
      "other",
      { tcp: ["", "x", ":", `   3: ${peer(LOOPBACK)}`, `3: ${peer(LOOPBACK)} 01`] },
      "127.0.0.1",
    ],
    ["an address that is none", "gone", { tcp: [row(peer(LOOPBACK)), ownRow()] }, "fe80::1::2"],
  ])("%s: %s", async (_, expected, tables, address) => {
    expect(await given(tables).ownerOf(connection(address))).toBe(expected);
  });

  it("as root, a socket that was closed (uid 0, no inode) is not root's", async () => {
    const proc = mkdtempSync(join(tmpdir(), "jeeves-proc-"));
    onTestFinished(() => rmSync(proc, { recursive: true, force: true }));
    mkdirSync(join(proc, "net"));
    const owners = createPeerOwners({ proc, uid: 0, inodeOf: () => OWN_INODE });
    for (const [inode, expected] of [
      [0, "gone"],
      [4711, "own"],
    ] as const) {
      const rows = [HEAD, row(peer(LOOPBACK), { uid: 0, inode }), ownRow(LOOPBACK, { uid: 0 }), ""];
      writeFileSync(join(proc, "net", "tcp"), rows.join("\n"));
      expect(await owners?.ownerOf(connection())).toBe(expected);
    }
  });

  it("the overflow uid stands for every unknown user and proves nothing", () => {
    const proc = mkdtempSync(join(tmpdir(), "jeeves-proc-"));
    onTestFinished(() => rmSync(proc, { recursive: true, force: true }));
    mkdirSync(join(proc, "sys", "kernel"), { recursive: true });
    writeFileSync(join(proc, "sys", "kernel", "overflowuid"), "64000\n");
    expect(createPeerOwners({ proc, uid: 64_000 })).toBeUndefined();
    expect(createPeerOwners({ proc: join(proc, "none"), uid: 65_534 })).toBeUndefined();
    expect(createPeerOwners({ proc, uid: 65_534 })).toBeDefined();
  });

  it("a connection that is gone before it is looked at has no owner", async () => {
    expect(await given({ tcp: [] }).ownerOf({ localAddress: "127.0.0.1", localPort: 80 })).toBe("gone");
    const owners = createPeerOwners({ uid: UID });
    expect(await owners?.ownerOf(connection())).toBe("other"); // no descriptor
  });
});

async function listen(host: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return { server, port: typeof address === "object" && address !== null ? address.port : 0 };
}

const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === "::1"));

describe.runIf(tellsPeers)("X-55 real connections", () => {
  it.each(["127.0.0.1", ...(hasIPv6 ? ["::1", "::"] : [])])(
    "on %s: our own process is known, many at once too",
    async (host) => {
      const { server, port } = await listen(host);
      const owners = createPeerOwners();
      const answers: Promise<PeerOwner | undefined>[] = [];
      const accepted: Socket[] = [];
      const all = new Promise<void>((resolve) => {
        server.on("connection", (socket) => {
          accepted.push(socket);
          answers.push(Promise.resolve(owners?.ownerOf(socket)));
          if (answers.length === 40) resolve();
        });
      });
      const clients = Array.from({ length: 40 }, () => connect({ port, host: host === "::" ? "127.0.0.1" : host }));
      await all;
      expect(new Set(await Promise.all(answers))).toEqual(new Set(["own"]));
      for (const socket of [...clients, ...accepted]) socket.destroy();
    },
  );

  it.runIf(canBeOtherUser)("another user is not us: not while it waits, and not when it leaves at once", async () => {
    const { server, port } = await listen("127.0.0.1");
    const owners = createPeerOwners();
    const answers: Promise<PeerOwner | undefined>[] = [];
    server.on("connection", (socket) => {
      answers.push(Promise.resolve(owners?.ownerOf(socket)));
      socket
        .on("error", () => {})
        .on("data", () => {})
        .on("end", () => socket.end("bye"));
    });
    const other = startOtherUser();
    for (const leaving of ["end", "destroy", "reset"] as const) {
      await other.sendAndLeave(port, "hello", { times: 40, leaving });
    }
    // The last in the queue: by now the others have been accepted, but for some that were reset while they waited.
    expect(await other.send(port, "hello")).toBe("bye");
    expect(answers.length).toBeGreaterThan(80);
    expect(await Promise.all(answers)).not.toContain("own");
    await other.close();
  });
});
