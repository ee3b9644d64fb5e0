// Whose a port is: the tables as the kernel writes them, and a real listener.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isOwnPort } from "../../src/http/listening-sockets.ts";
import { tellsPeers } from "./other-user.ts";

const UID = 1000;
const PORT = 8000;
const ANY = "00000000:1F40";
const LOOPBACK = "0100007F:1F40";
const SIX_LOOPBACK = "00000000000000000000000001000000:1F40";
const SIX_ANY = "00000000000000000000000000000000:1F40";
const HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";

function row(local: string, { uid = UID, state = "0A", inode = 4711 } = {}): string {
  const padded = String(uid).padStart(5);
  return `   3: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 ${padded}        0 ${inode} 1 0 100 0`;
}

function procWith(tables: { readonly tcp?: readonly string[]; readonly tcp6?: readonly string[] }): string {
  const proc = mkdtempSync(join(tmpdir(), "jeeves-proc-"));
  onTestFinished(() => rmSync(proc, { recursive: true, force: true }));
  mkdirSync(join(proc, "net"));
  for (const [name, rows] of Object.entries(tables)) {
    writeFileSync(join(proc, "net", name), `${[HEAD, ...rows].join("\n")}\n`);
  }
  return proc;
}

describe.runIf(process.platform === "linux")("X-55 a port is our own user's", () => {
  it.each<[string, boolean, Parameters<typeof procWith>[0]]>([
    ["on 127.0.0.1", true, { tcp: [row(LOOPBACK)], tcp6: [] }],
    ["on all addresses", true, { tcp: [row(ANY)], tcp6: [row(SIX_ANY)] }],
    ["by IPv6 alone", true, { tcp: [], tcp6: [row(SIX_LOOPBACK)] }],
    ["on a machine without IPv6", true, { tcp: [row(LOOPBACK)] }],
    ["not without a listener", false, { tcp: [], tcp6: [] }],
    ["not by a connection", false, { tcp: [row(LOOPBACK, { state: "01" })] }],
    ["not by another port", false, { tcp: [row("0100007F:1F41")] }],
    ["not another user's", false, { tcp: [row(LOOPBACK, { uid: 1001 })] }],
    ["not root's", false, { tcp: [row(LOOPBACK, { uid: 0 })] }],
    ["not with another user on ::1", false, { tcp: [row(LOOPBACK)], tcp6: [row(SIX_LOOPBACK, { uid: 1001 })] }],
    ["not with another user on all addresses", false, { tcp: [row(ANY, { uid: 1001 }), row(LOOPBACK)] }],
    ["not by a socket that is closed", false, { tcp: [row(LOOPBACK, { inode: 0 })] }],
    ["not where there are no tables", false, {}],
  ])("%s", async (_, expected, tables) => {
    expect(await isOwnPort(PORT, { uid: UID, proc: procWith(tables) })).toBe(expected);
  });

  it("not for the uid of all unknown users", async () => {
    expect(await isOwnPort(PORT, { uid: 65_534, proc: procWith({ tcp: [row(LOOPBACK, { uid: 65_534 })] }) })).toBe(
      false,
    );
  });

  it.runIf(tellsPeers)("as the kernel has it", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await isOwnPort(port)).toBe(true);
    server.close();
    await once(server, "close");
    expect(await isOwnPort(port)).toBe(false);
  });
});
