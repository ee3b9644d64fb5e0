// The network of a storm: two machines and a database. As root on Linux each machine is a network namespace with a cable
// (veth) of its own, and a cable that is taken down is a partition; elsewhere a proxy that passes nothing on stands for it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { cuttingProxy } from "./cutting-proxy.ts";
import type { RunningPostgres } from "./start-postgres.ts";

export interface StormNetwork {
  readonly kind: "namespaces" | "proxy";
  /** Per machine: the database's address from there, and what a command is started with to run there. */
  readonly machines: readonly { readonly url: string; readonly prefix: readonly string[] }[];
  /** Machine 1 hears nothing and is heard by no one, or again. */
  part(isParted: boolean): void;
  close(): void;
}

/** Two cables: where the database listens, and who is let in. */
export interface Cables {
  readonly hostAddresses: readonly string[];
  readonly subnets: readonly string[];
  readonly names: readonly string[];
  readonly links: readonly string[];
  remove(): void;
}

function ip(...args: readonly string[]): boolean {
  return spawnSync("ip", args, { stdio: "ignore" }).status === 0;
}

/** Makes the namespaces; undefined where this system has none, or this user may not. */
export function layCables(): Cables | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const id = randomInt(1, 250);
  const own = `${process.pid % 10_000}x${id}`;
  const sides = [0, 1].map((at) => ({
    name: `jeeves-${own}-${at}`,
    link: `jv${own}${at}`,
    peer: `jp${own}${at}`,
    host: `10.213.${id}.${at * 4 + 1}`,
    inside: `10.213.${id}.${at * 4 + 2}`,
    subnet: `10.213.${id}.${at * 4}/30`,
  }));
  // The end of a cable goes with the other one, and with the namespace that it lies in.
  const remove = (): void => {
    for (const { name, link } of sides) {
      ip("link", "del", link);
      ip("netns", "del", name);
    }
  };
  const isLaid = sides.every(
    ({ name, link, peer, host, inside }) =>
      ip("netns", "add", name) &&
      ip("link", "add", link, "type", "veth", "peer", "name", peer) &&
      ip("link", "set", peer, "netns", name) &&
      ip("addr", "add", `${host}/30`, "dev", link) &&
      ip("link", "set", link, "up") &&
      ip("-n", name, "addr", "add", `${inside}/30`, "dev", peer) &&
      ip("-n", name, "link", "set", peer, "up") &&
      ip("-n", name, "link", "set", "lo", "up"),
  );
  if (!isLaid) {
    remove();
    return undefined;
  }
  process.once("exit", remove);
  return {
    hostAddresses: sides.map(({ host }) => host),
    subnets: sides.map(({ subnet }) => subnet),
    names: sides.map(({ name }) => name),
    links: sides.map(({ link }) => link),
    remove,
  };
}

/** The network that these cables make, or the one of a proxy. */
export async function stormNetwork(postgres: RunningPostgres, cables: Cables | undefined): Promise<StormNetwork> {
  if (cables === undefined) {
    const proxy = await cuttingProxy(postgres.url);
    return {
      kind: "proxy",
      machines: [
        { url: postgres.url, prefix: [] },
        { url: proxy.url, prefix: [] },
      ],
      part(isParted) {
        proxy.drop(isParted);
        // What was lost on the way is never sent again by this proxy: its connections end.
        if (!isParted) {
          proxy.refuse(true);
          proxy.refuse(false);
        }
      },
      close: () => proxy.close(),
    };
  }
  const machines = cables.names.map((name, at) => {
    const url = new URL(postgres.url);
    url.hostname = cables.hostAddresses[at] ?? "";
    return { url: url.href, prefix: ["ip", "netns", "exec", name] };
  });
  return {
    kind: "namespaces",
    machines,
    part: (isParted) => void ip("link", "set", cables.links[1] ?? "", isParted ? "down" : "up"),
    close: cables.remove,
  };
}
