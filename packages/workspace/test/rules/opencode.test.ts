// every place where opencode takes permissions from: agents, modes, `tools`, front matter, variables and text that
// is put into its settings.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPlaces, type Places } from "./places.ts";

const PROJECT = "home/code/project";
const FILE = `${PROJECT}/opencode.json`;
const DENY = { read: { "secrets/*": "deny" } };

const effectOn = async (places: Places, path: string) => (await places.judge(path, "opencode"))?.[0];

describe("opencode's default agent", () => {
  it.each<[string, unknown]>([
    ["agent.build.permission", { agent: { build: { permission: DENY } } }],
    ["mode.build.permission", { mode: { build: { permission: DENY } } }],
    ["over what the permissions allow", { permission: { read: "allow" }, agent: { build: { permission: DENY } } }],
    ["the agent that is the default", { default_agent: "mine", agent: { mine: { permission: DENY } } }],
  ])("X-61 %s", async (_, settings) => {
    const places = createPlaces();
    places.put(FILE, JSON.stringify(settings));
    expect(await effectOn(places, "secrets/a")).toBe("deny");
    expect(await effectOn(places, "src/a")).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["tools.read", { tools: { read: false } }],
    ["the tools of the agent", { agent: { build: { tools: { read: false } } } }],
    ["the tools of a mode", { mode: { build: { tools: { "*": false } } } }],
    ["the permission of an agent in one word", { agent: { build: { permission: "deny" } } }],
  ])("X-61 %s", async (_, settings) => {
    const places = createPlaces();
    places.put(FILE, JSON.stringify(settings));
    expect(await effectOn(places, "src/a")).toBe("deny");
  });

  it("X-61 permissions come before tools, and an agent's own before both", async () => {
    const places = createPlaces();
    places.put(
      FILE,
      JSON.stringify({ tools: { read: false }, permission: { read: { "src/*": "allow", "*": "ask" } } }),
    );
    expect(await effectOn(places, "src/a")).toBe("ask");
    places.put(FILE, JSON.stringify({ permission: DENY, agent: { build: { permission: { read: "allow" } } } }));
    expect(await effectOn(places, "secrets/a")).toBeUndefined();
  });

  it.each<[string, string]>([
    [`${PROJECT}/.opencode/agent/build.md`, ""],
    [`${PROJECT}/.opencode/agents/team/any.md`, "name: build\n"],
    [`${PROJECT}/.opencode/mode/build.md`, ""],
    ["home/.config/opencode/agent/build.md", "description: for code: all of it\n"],
    ["home/.opencode/modes/build.md", ""],
  ])("X-61 front matter of %s", async (path, more) => {
    const places = createPlaces();
    const file = places.put(path, `---\n${more}permission:\n  read:\n    "secrets/*": deny\n---\nYou build.\n`);
    expect((await places.judge("secrets/a", "opencode"))?.[2]).toBe(file);
    expect(await effectOn(places, "src/a")).toBeUndefined();
  });

  it("X-61 front matter that cannot be read denies everything, and is reported once", async () => {
    const places = createPlaces();
    const file = places.put(`${PROJECT}/.opencode/agent/build.md`, "---\npermission: [\n---\n");
    expect(await effectOn(places, "src/a")).toBe("deny");
    expect(await effectOn(places, "src/a")).toBe("deny");
    expect(places.problems.map(({ source }) => source)).toEqual([file]);
  });
});

describe("opencode's other agents", () => {
  const review = (permission: unknown) => JSON.stringify({ agent: { review: { permission } } });

  it("X-61 what another agent may not read is left to the client's own tool, which knows the agent", async () => {
    const places = createPlaces();
    places.put(FILE, review(DENY));
    expect(await effectOn(places, "secrets/a")).toBe("agent");
    expect(await effectOn(places, "src/a")).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["that has none of our tools", { "*": "deny", webfetch: "allow" }],
    ["that must ask", { read: "ask" }],
    ["with rules for other tools", { edit: "deny", bash: "deny" }],
  ])("X-61 an agent %s changes nothing", async (_, permission) => {
    const places = createPlaces();
    places.put(FILE, review(permission));
    expect(await effectOn(places, "src/a")).toBeUndefined();
  });

  it("X-61 an agent that is disabled changes nothing", async () => {
    const places = createPlaces();
    places.put(FILE, JSON.stringify({ agent: { review: { disable: true, permission: DENY } } }));
    expect(await effectOn(places, "secrets/a")).toBeUndefined();
  });
});

describe("opencode's variables", () => {
  it("X-61 OPENCODE_PERMISSION comes last", async () => {
    const places = createPlaces({ OPENCODE_PERMISSION: JSON.stringify(DENY) });
    places.put(FILE, JSON.stringify({ permission: { read: { "secrets/*": "allow" } } }));
    expect(await places.judge("secrets/a", "opencode")).toEqual([
      "deny",
      'permission read: "secrets/*"',
      "OPENCODE_PERMISSION",
    ]);
  });

  it("X-61 OPENCODE_CONFIG_CONTENT comes after the project's files and before the administrator's", async () => {
    const places = createPlaces({ OPENCODE_CONFIG_CONTENT: `{ /* */ "permission": ${JSON.stringify(DENY)}, }` });
    places.put(
      `${PROJECT}/.opencode/opencode.json`,
      JSON.stringify({ permission: { read: { "secrets/*": "allow" } } }),
    );
    expect((await places.judge("secrets/a", "opencode"))?.[2]).toBe("OPENCODE_CONFIG_CONTENT");
    places.put("etc/opencode/opencode.json", JSON.stringify({ permission: { read: { "secrets/*": "ask" } } }));
    expect(await effectOn(places, "secrets/a")).toBe("ask");
  });

  it("X-61 a variable that is not JSON is reported; in the settings' place it denies everything", async () => {
    const permission = createPlaces({ OPENCODE_PERMISSION: "{read" });
    expect(await effectOn(permission, "a")).toBeUndefined(); // opencode itself skips it
    expect(permission.problems.map(({ source }) => source)).toEqual(["OPENCODE_PERMISSION"]);
    const content = createPlaces({ OPENCODE_CONFIG_CONTENT: "{permission" });
    expect(await effectOn(content, "a")).toBe("unknown");
  });

  it("X-61 {env:…} is put in before the settings are parsed, as text", async () => {
    const places = createPlaces({ WHAT: "deny", WHERE: '"secrets/*"' });
    places.put(FILE, '{"permission":{"read":{{env:WHERE}:"{env:WHAT}","x{env:NOT_SET}y":"deny"}}}');
    expect(await effectOn(places, "secrets/a")).toBe("deny");
    expect(await effectOn(places, "xy")).toBe("deny");
  });

  it("X-61 {file:…} is put in as a string's content, and read again when that file changes", async () => {
    const places = createPlaces();
    places.put(`${PROJECT}/rules/what`, "deny\n");
    places.put("home/where", 'secrets/"a"');
    places.put(FILE, '{\n// {file:./none}\n"permission":{"read":{"{file:~/where}":"{file:rules/what}"}}}');
    expect(await effectOn(places, 'secrets/"a"')).toBe("deny");
    places.put(`${PROJECT}/rules/what`, "allow");
    expect(await effectOn(places, 'secrets/"a"')).toBeUndefined();
  });

  it("X-61 {file:…} of a file that is missing: opencode does not start, and nothing is read", async () => {
    const places = createPlaces();
    const file = places.put(FILE, '{"permission":{"read":"{file:./none}"}}');
    expect(await places.judge("a", "opencode")).toMatchObject(["unknown", expect.stringContaining("none"), file]);
  });

  it("X-61 OPENCODE_DISABLE_PROJECT_CONFIG: a project then lifts nothing", async () => {
    const places = createPlaces({ OPENCODE_DISABLE_PROJECT_CONFIG: "1" });
    places.put("home/.config/opencode/opencode.json", JSON.stringify({ permission: DENY }));
    places.put(FILE, JSON.stringify({ permission: { read: "allow" } }));
    places.put(`${PROJECT}/.opencode/opencode.json`, JSON.stringify({ permission: { read: "allow" } }));
    expect(await effectOn(places, "secrets/a")).toBe("deny");
  });
});

it("X-61 of several .opencode directories the outer one is read later, as opencode does", async () => {
  const places = createPlaces({}, "sub");
  mkdirSync(join(places.project, "sub"), { recursive: true });
  places.put(`${PROJECT}/.opencode/opencode.json`, JSON.stringify({ permission: DENY }));
  places.put(
    `${PROJECT}/sub/.opencode/opencode.json`,
    JSON.stringify({ permission: { read: { "secrets/*": "allow" } } }),
  );
  expect(await effectOn(places, "secrets/a")).toBe("deny");
});

it.each<[string, unknown]>([
  ["an action that opencode does not know", { read: { "secrets/*": "DENY" } }],
  ["a table where an action belongs", { read: { "secrets/*": { all: "deny" } } }],
])("X-61 %s denies what its pattern covers, and is reported once", async (_, permission) => {
  const places = createPlaces();
  const file = places.put(FILE, JSON.stringify({ permission }));
  expect(await effectOn(places, "secrets/a")).toBe("deny");
  expect(await effectOn(places, "secrets/b")).toBe("deny");
  expect(await effectOn(places, "src/a")).toBeUndefined();
  expect(places.problems).toMatchObject([{ source: file, rule: 'permission read: "secrets/*"' }]);
});

it("X-61 a permission that is no table denies everything", async () => {
  const places = createPlaces();
  places.put(FILE, JSON.stringify({ permission: ["read"] }));
  expect(await effectOn(places, "a")).toBe("deny");
  expect(places.problems).toHaveLength(1);
});

it.each<[unknown, string, string | undefined]>([
  [{ grep: "deny" }, "needle", "deny"],
  [{ grep: { "password*": "deny" } }, "password = ", "deny"],
  [{ grep: { "password*": "deny" } }, "needle", undefined],
  [{ grep: "ask" }, "needle", "ask"],
  [{ read: "deny" }, "needle", undefined],
])("X-61 %j on a search for %s: %s", async (permission, pattern, effect) => {
  const places = createPlaces();
  places.put(FILE, JSON.stringify({ permission }));
  expect((await places.judgeSearch(pattern, "opencode"))?.[0]).toBe(effect);
});

describe("outside of a repository", () => {
  /** A path relative to `/`, as opencode takes it there. */
  const fromRoot = (places: Places, path: string) => join(places.project, path).slice(1);

  it.each<[string, string]>([
    ["*/secrets/*", "secrets/k"],
    ["secrets/*", "secrets/k"],
    ["~/code/project/secrets/*", "secrets/k"],
  ])("X-61 a pattern may count from / and from the directory, or be absolute: %s", async (pattern, path) => {
    for (const home of ["home", "linked-home"]) {
      const places = createPlaces({}, ".", { git: false, home });
      places.put(FILE, JSON.stringify({ permission: { read: { [pattern]: "deny" } } }));
      expect(await effectOn(places, path)).toBe("deny");
      expect(await effectOn(places, "src/k")).toBeUndefined();
    }
  });

  it("X-61 an allow lifts a denial only where it does by each of the names", async () => {
    const places = createPlaces({}, ".", { git: false });
    const put = (allowed: string) =>
      places.put(FILE, JSON.stringify({ permission: { read: { "*": "deny", [allowed]: "allow" } } }));
    for (const allowed of ["open/*", fromRoot(places, "open/*"), join(places.project, "open/*")]) {
      put(allowed);
      expect(await effectOn(places, "open/a")).toBe("deny");
    }
    put("*open/*");
    expect(await effectOn(places, "open/a")).toBeUndefined();
  });

  it("X-61 settings of the directories above hold, too", async () => {
    const places = createPlaces({}, ".", { git: false });
    writeFileSync(join(places.project, "..", "opencode.json"), '{"permission":{"read":{"*/secrets/*":"deny"}}}');
    expect(await effectOn(places, "secrets/k")).toBe("deny");
    expect(await effectOn(places, "src/k")).toBeUndefined();
  });

  it("X-61 a .git that is no repository for us may be one for opencode", async () => {
    const places = createPlaces({}, ".", { git: false });
    mkdirSync(join(places.dir, "home/code/.git"));
    places.put(FILE, JSON.stringify({ permission: { read: { "project/secrets/*": "deny" } } }));
    expect(await effectOn(places, "secrets/k")).toBe("deny");
  });
});

it("X-61 an absolute pattern denies in a repository, too, and allows nothing", async () => {
  const places = createPlaces();
  const put = (read: unknown) => places.put(FILE, JSON.stringify({ permission: { read } }));
  put({ [join(places.project, "secrets/*")]: "deny" });
  expect(await effectOn(places, "secrets/k")).toBe("deny");
  put({ "*": "deny", [join(places.project, "open/*")]: "allow" });
  expect(await effectOn(places, "open/k")).toBe("deny");
  put({ "*": "deny", "open/*": "allow" });
  expect(await effectOn(places, "open/k")).toBeUndefined();
});
