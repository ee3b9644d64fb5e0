// Whether an agent can be put into a sandbox here (RU-20): every part that is needed, whether it is there, and how to
// get it on this system. Looks and tries; installs nothing.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { findProgram } from "@jeeves/base";

const TRY_MS = 10_000;

/** A program or a right that a sandbox consists of. */
export interface SandboxPart {
  readonly name: "srt" | "bwrap" | "socat" | "rg" | "user namespaces" | "sandbox-exec";
  readonly isThere: boolean;
  /** Without it there is no sandbox. */
  readonly isNeeded: boolean;
  /** Where it is, or what was seen. */
  readonly found: string;
  /** How to get it on this system; absent where it is there. */
  readonly howTo?: string;
}

/** Every part for this platform; `isReady` where none that is needed is missing. */
export interface SandboxCheck {
  readonly isReady: boolean;
  readonly platform: NodeJS.Platform;
  readonly parts: readonly SandboxPart[];
}

/** `platform` and `osRelease` (the text of /etc/os-release) default to this machine's. */
export interface CheckOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly osRelease?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks for the parts on the PATH of `env`, and tries to make a user namespace (at most 10 s). A missing part is no
 * error; rejects only where `signal` aborts.
 */
export async function checkSandbox(options: CheckOptions): Promise<SandboxCheck> {
  const platform = options.platform ?? process.platform;
  const parts = await partsOf(platform, options);
  return { platform, parts, isReady: parts.every((part) => part.isThere || !part.isNeeded) };
}

async function partsOf(platform: NodeJS.Platform, options: CheckOptions): Promise<SandboxPart[]> {
  const { env } = options;
  const install = installerOf(platform, options.osRelease ?? readOsRelease());
  const program = async (name: SandboxPart["name"], howTo: string, isNeeded = true): Promise<SandboxPart> => {
    const path = await findProgram(name, env);
    return {
      name,
      isThere: path !== undefined,
      isNeeded,
      found: path ?? "not on the PATH",
      ...(path === undefined ? { howTo } : {}),
    };
  };
  const srt = await program("srt", "npm install --global @anthropic-ai/sandbox-runtime");
  if (platform === "darwin")
    return [srt, await program("sandbox-exec", "it comes with macOS"), await program("rg", install("ripgrep"))];
  if (platform !== "linux") {
    return [{ ...srt, isThere: false, found: `not on ${platform}`, howTo: "use Linux (WSL 2 will do) or macOS" }];
  }
  const bwrap = await program("bwrap", install("bubblewrap"));
  return [
    srt,
    bwrap,
    await program("socat", install("socat")),
    await program("rg", install("ripgrep")),
    await userNamespaces(bwrap, options),
  ];
}

/** Tried, and not read from settings: containers, AppArmor and sysctls can each forbid it. */
async function userNamespaces(bwrap: SandboxPart, options: CheckOptions): Promise<SandboxPart> {
  const name = "user namespaces";
  const howTo =
    "allow them: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu); in a container: a seccomp profile that also allows unshare, clone and mount (--security-opt seccomp=FILE), or, with none at all, seccomp=unconfined";
  if (!bwrap.isThere) return { name, isThere: false, isNeeded: true, found: "bwrap is needed to try", howTo };
  try {
    const signal = options.signal;
    await promisify(execFile)(
      bwrap.found,
      ["--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net", "--unshare-pid", "true"],
      {
        timeout: TRY_MS,
        env: options.env,
        ...(signal === undefined ? {} : { signal }),
      },
    );
    return { name, isThere: true, isNeeded: true, found: "bwrap can make one" };
  } catch (error) {
    options.signal?.throwIfAborted();
    const words = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    return { name, isThere: false, isNeeded: true, found: words.split("\n").at(-1) ?? "refused", howTo };
  }
}

const INSTALLERS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:debian|ubuntu)\b/, "sudo apt-get install -y"],
  [/\b(?:fedora|rhel|centos)\b/, "sudo dnf install -y"],
  [/\barch\b/, "sudo pacman -S"],
  [/\balpine\b/, "sudo apk add"],
  [/\bsuse\b/, "sudo zypper install -y"],
];

function installerOf(platform: NodeJS.Platform, osRelease: string): (name: string) => string {
  if (platform === "darwin") return (name) => `brew install ${name}`;
  const ids = [...osRelease.matchAll(/^ID(?:_LIKE)?=(.*)$/gm)]
    .map((found) => found[1] ?? "")
    .join(" ")
    .toLowerCase();
  const command = INSTALLERS.find(([form]) => form.test(ids))?.[1];
  return (name) =>
    command === undefined ? `install ${name} with your system's package manager` : `${command} ${name}`;
}

function readOsRelease(): string {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}
