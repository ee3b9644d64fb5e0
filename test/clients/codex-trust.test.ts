// How Codex trusts our hooks, asked of Codex itself: the keys and hashes by which `jeeves doctor` looks for that trust.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createClientEnv } from "./agent.ts";
import { CLIENTS_BIN } from "./offline-settings.ts";

const JEEVES = fileURLToPath(new URL("../../packages/cli/dist/jeeves.js", import.meta.url));
const answer = z.object({
  id: z.literal(2),
  result: z.object({
    data: z.array(
      z.object({ hooks: z.array(z.object({ key: z.string(), currentHash: z.string(), trustStatus: z.string() })) }),
    ),
  }),
});

let dir: string;
let env: NodeJS.ProcessEnv;
let server: ChildProcess | undefined;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-codex-trust-"));
  for (const name of ["home", "project", "tmp"]) mkdirSync(join(dir, name));
  const own = { JEEVES_STATE_DIR: join(dir, "state"), TMPDIR: join(dir, "tmp") };
  env = { ...(await createClientEnv(join(dir, "home"))), ...own, PATH: `${CLIENTS_BIN}:${process.env.PATH}` };
});
afterAll(() => {
  server?.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

async function hooksInCodex() {
  const child = spawn(join(CLIENTS_BIN, "codex"), ["app-server"], {
    cwd: join(dir, "project"),
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  server = child;
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ id: 1, method: "initialize", params: { clientInfo: { name: "test", title: "test", version: "1" } } });
  send({ method: "initialized" });
  send({ id: 2, method: "hooks/list", params: { cwds: [join(dir, "project")] } });
  for await (const line of createInterface({ input: child.stdout })) {
    const found = answer.safeParse(JSON.parse(line)).data;
    if (found === undefined) continue;
    child.kill("SIGKILL");
    return found.result.data.flatMap(({ hooks }) => hooks);
  }
  throw new Error("codex app-server ended without an answer");
}

function jeeves(...words: readonly string[]) {
  return spawnSync(process.execPath, [JEEVES, ...words], { cwd: join(dir, "project"), env, encoding: "utf8" });
}

const trustInDoctor = () =>
  z
    .object({ checks: z.array(z.object({ name: z.string(), state: z.string(), found: z.string() })) })
    .parse(JSON.parse(jeeves("doctor", "--json").stdout))
    .checks.find(({ name }) => name === "codex hooks");

it("doctor and Codex agree on whether our hooks are trusted", async () => {
  expect(jeeves("init", "codex").status).toBe(0);
  const untrusted = await hooksInCodex();
  expect(untrusted.map(({ trustStatus }) => trustStatus)).toEqual(["untrusted", "untrusted"]);
  expect(trustInDoctor()).toMatchObject({ state: "note", found: expect.stringContaining("2 of 2 are not trusted") });
  // What Codex writes when its user agrees.
  const lines = untrusted.map(
    ({ key, currentHash }) => `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
  );
  appendFileSync(join(dir, "home", ".codex", "config.toml"), lines.join(""));
  expect((await hooksInCodex()).map(({ trustStatus }) => trustStatus)).toEqual(["trusted", "trusted"]);
  expect(trustInDoctor()).toMatchObject({ state: "good" });
});
