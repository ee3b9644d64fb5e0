// rules that name a directory which is a link hold for what is behind it.
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPlaces, type Places } from "./places.ts";

const USER = "home/.codex/config.toml";

/** A home that HOME names through a link, with rules of one Codex profile. */
function linkedHome(rows: (places: Places) => readonly string[]): Places {
  const places = createPlaces({}, ".", { home: "linked-home" });
  places.put("home/code/project/secrets/k", "k");
  places.put("home/code/project/data/k", "k");
  symlinkSync("data", join(places.project, "link"));
  places.put(USER, `[permissions.p.filesystem]\n${rows(places).join("\n")}\n`);
  return places;
}

describe("Codex", () => {
  it.each<[string, (places: Places) => string]>([
    ["the home's sign", () => '"~/code/project/secrets" = "none"'],
    ["another word for it", () => '"~/code/project/secrets" = "deny"'],
    ["everything below", () => '"~/code/project/secrets/**" = "none"'],
    ["an absolute path", ({ dir }) => `"${dir}/linked-home/code/project/secrets" = "none"`],
    ["a glob", () => '"~/code/project/**/k" = "none"'],
    ["an absolute glob", ({ dir }) => `"${dir}/linked-home/code/project/s*/k" = "none"`],
    ["a directory that is not there yet", () => '"~/code/project/secrets/k/x" = "none"'],
    ["the home itself", () => '"~" = "none"'],
  ])("X-61 %s through a linked home denies", async (_, row) => {
    const places = linkedHome((each) => [row(each)]);
    expect((await places.judge("secrets/k/x", "codex"))?.[0]).toBe("deny");
  });

  it("X-61 a rule that names a link inside of the project denies what is behind it, as it leads now", async () => {
    const places = linkedHome(() => ['":workspace_roots" = { "link" = "none" }']);
    expect((await places.judge("link/k", "codex"))?.[0]).toBe("deny");
    expect((await places.judge("data/k", "codex"))?.[0]).toBe("deny");
    expect(await places.judge("secrets/k", "codex")).toBeUndefined();
    rmSync(join(places.project, "link"));
    symlinkSync("secrets", join(places.project, "link"));
    expect((await places.judge("secrets/k", "codex"))?.[0]).toBe("deny");
    expect(await places.judge("data/k", "codex")).toBeUndefined();
  });

  it("X-61 what is allowed through a linked home is allowed, but no link in the project widens it", async () => {
    const places = linkedHome(() => [
      '"~/code/project/secrets" = "none"',
      '"~/code/project/secrets/open" = "read"',
      '"~/code/project/public" = "read"',
    ]);
    mkdirSync(join(places.project, "secrets/inner"));
    symlinkSync("secrets/inner", join(places.project, "public"));
    expect(await places.judge("secrets/open/a", "codex")).toBeUndefined();
    expect((await places.judge("secrets/inner/a", "codex"))?.[0]).toBe("deny");
  });
});

describe("Claude Code", () => {
  it("X-61 a rule through a link holds for what the link leads to now, also where that came later", async () => {
    const places = createPlaces({}, ".", { home: "linked-home" });
    places.put("home/.claude/settings.json", '{"permissions": {"deny": ["Read(~/code/project/link/**)"]}}');
    expect((await places.judge("link/k"))?.[0]).toBe("deny");
    expect(await places.judge("data/k")).toBeUndefined();
    mkdirSync(join(places.project, "data"));
    symlinkSync("data", join(places.project, "link"));
    expect((await places.judge("data/k"))?.[0]).toBe("deny");
  });
});
