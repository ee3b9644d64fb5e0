import { describe, expect, it } from "vitest";
import { asksForAll } from "../../src/index.ts";

describe("X-58 asks for all of what is searched", () => {
  it.each([
    "List every call site of normalizePath",
    "list all the call sites of `normalizePath`, please",
    "Find all references to normalizePath.",
    "Show me all uses of the path normalizer",
    "find all usages of normalizePath() in src",
    "I want each occurrence of normalizePath changed",
    "Rename normalizePath to canonicalPath",
    "we are renaming the helper normalizePath",
    "replace all normalizePath calls with resolve",
    "change all `normalizePath()` call sites",
    "Does every normalizePath usage pass a root?",
    "everywhere normalizePath is called, pass the root",
    "every place where normalizePath is used",
    "Find all references to it",
    "find every call site",
    "all callers of this function",
    "Liste alle Aufrufe von normalizePath auf",
    "Zeig mir sämtliche Verwendungen von normalizePath",
    "alle Stellen, wo normalizePath benutzt wird",
    "Bitte normalizePath in canonicalPath umbenennen",
    "Benenne normalizePath um",
    "Überall, wo normalizePath steht, den Pfad prüfen",
    "en todas partes donde se usa normalizePath",
    "Trouve chaque appel de normalizePath",
    "toutes les utilisations de normalizePath",
    "tous les endroits où normalizePath est appelé",
    "Renomme normalizePath en canonicalPath",
    "Busca todas las referencias a normalizePath",
    "cada llamada a normalizePath",
    "Renombra normalizePath",
  ])("%s", (said) => {
    expect(asksForAll(said, "normalizePath\\(")).toBe(true);
  });

  it.each([
    "",
    "fix all the tests",
    "all good?",
    "All calls fail with a normalizePath error, why?",
    "fix every normalizePath bug",
    "log all requests, then call normalizePath",
    "Where does normalizePath handle symlinks?",
    "Run all tests, then look at normalizePath",
    "How is normalizePath used on Windows? All answers in English please.",
    "After all, normalizePath is slow; why?",
    "every time I call normalizePath it fails",
    "all use cases of the importer matter; why is normalizePath slow?",
    "Rename the button, then see why normalizePath fails",
    "Rename config.json first. Where is normalizePath tested?",
    "find all references to parseUrl",
    "The file was renamed; does normalizePath know?",
    "alle Tests reparieren",
    "alles gut?",
    "répare tous les tests",
    "arregla todas las pruebas",
  ])("not: %s", (said) => {
    expect(asksForAll(said, "normalizePath")).toBe(false);
  });

  it("the search's own words say nothing: they are no request", () => {
    const command = "rg -n 'rename all uses of x' src";
    expect(asksForAll(`${command}\nWhy is it slow?`, command)).toBe(false);
  });
});
