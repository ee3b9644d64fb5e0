// rudder sandbox check and init: what is there, what is missing, and how to get it on this system.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSandbox } from "../../../src/agent/sandbox/sandbox-check.ts";
import { cleanUpAgents, makeAgentHaven } from "../agents-under-test.ts";

cleanUpAgents();

describe("sandbox", () => {
  it("RU-20 check names every part that is missing and how to get it here", async () => {
    const test = await makeAgentHaven(1, { git: false });
    const { PATH } = test.fakeSandbox({ without: ["srt", "bwrap", "rg", "socat"] });
    const missing = await test.run(["sandbox", "check"], { env: test.env({ PATH }) });
    expect(missing.exitCode).toBe(1);
    for (const part of ["srt", "bwrap", "socat", "rg", "user namespaces"]) expect(missing.text).toContain(part);
    expect(missing.text).toContain("npm install --global @anthropic-ai/sandbox-runtime");
  });

  it("RU-20 check is content where all is there, and its JSON says where", async () => {
    const test = await makeAgentHaven(1, { git: false });
    const { PATH } = test.fakeSandbox();
    const check = await checkSandbox({ env: { PATH }, platform: "linux" });
    const there = check.parts.filter((part) => part.isThere).map((part) => part.name);
    expect(there).toEqual(expect.arrayContaining(["srt", "bwrap", "rg", "user namespaces"]));
    expect(check.parts[0]).toMatchObject({ name: "srt", found: join(PATH, "srt") });
  });

  it.each([
    ["ID=debian\n", "linux", "sudo apt-get install -y bubblewrap"],
    ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', "linux", "sudo apt-get install -y bubblewrap"],
    ["ID=fedora\n", "linux", "sudo dnf install -y bubblewrap"],
    ["ID=arch\n", "linux", "sudo pacman -S bubblewrap"],
    ["ID=alpine\n", "linux", "sudo apk add bubblewrap"],
    ["ID=slackware\n", "linux", "install bubblewrap with your system's package manager"],
    ["", "darwin", "brew install ripgrep"],
    ["", "win32", "use Linux (WSL 2 will do) or macOS"],
  ] as const)("RU-20 on %j (%s) it says: %s", async (osRelease, platform, words) => {
    const check = await checkSandbox({ env: { PATH: "/nowhere" }, platform, osRelease });
    expect(check.isReady).toBe(false);
    expect(check.parts.map((part) => part.howTo)).toContain(words);
  });

  it("RU-20 init writes the settings that all agents start from, once", async () => {
    const test = await makeAgentHaven(1, { git: false });
    expect(await test.json(["sandbox", "init"])).toMatchObject({ made: true });
    test.write("srt-settings.json", '{"network":{"allowedDomains":["example.com"]}}');
    expect(await test.json(["sandbox", "init"])).toMatchObject({ made: false });
    expect(test.read("srt-settings.json")).toContain("example.com");
    test.write("srt-settings.json", "{");
    expect((await test.run(["sandbox", "init", "--json"])).json).toMatchObject({ error: { code: "broken_state" } });
    const { PATH } = test.fakeSandbox();
    const spawn = ["agent", "spawn", "T001", "--no-worktree", "--sandbox", "--json"];
    const refused = await test.run(spawn, { env: test.env({ PATH }) });
    expect(refused.json).toMatchObject({ error: { code: "broken_state" } });
  });
});
