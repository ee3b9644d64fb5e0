// JSON that programs print: npm, git, node, esbuild, tsc, biome, vitest, gcc, sqlite, Python. Each output comes with
// questions; an answer is the value at a path, which jsonc-parser finds in the text.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bin, NODE, root, run } from "./run.mjs";

const compact = (text) => JSON.stringify(JSON.parse(text));
const nth = (list, share) => list[Math.floor((list.length - 1) * share)];

/** @returns {Iterable<{ name: string, text: string, path?: string, questions: object[] }>} */
export function* jsonOutputs(dir) {
  const both = function* (name, text, questions) {
    yield { name, text, questions };
    yield { name: `${name}, one line`, text: compact(text), questions };
  };
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const packages = ["node_modules/esbuild", "node_modules/yaml", "node_modules/vite"];
  yield* both("package-lock.json", lock, [
    ...packages.map((name) => ({
      question: `which version of ${name.slice(13)} is locked?`,
      at: ["packages", name, "version"],
    })),
    { question: "what is the integrity hash of fast-check?", at: ["packages", "node_modules/fast-check", "integrity"] },
  ]);
  const tree = run("npm", ["ls", "--json", "--all"]);
  yield* both("npm ls --json --all", tree, [
    { question: "which version of typescript is installed?", at: ["dependencies", "typescript", "version"] },
    { question: "which version of vitest is installed?", at: ["dependencies", "vitest", "version"] },
  ]);
  const long = run("npm", ["ls", "--json", "--long"]);
  yield* both("npm ls --json --long", long, [
    { question: "what is the license of playwright-core?", at: ["dependencies", "playwright-core", "license"] },
    { question: "what is the homepage of fast-check?", at: ["dependencies", "fast-check", "homepage"] },
  ]);
  const query = run("npm", ["query", "*"]);
  const queried = JSON.parse(query);
  const asked = (name) => queried.findIndex((one) => one.name === name);
  yield* both("npm query '*'", query, [
    { question: "what is the description of the package picomatch?", at: [asked("picomatch"), "description"] },
    { question: "what is the license of lightningcss?", at: [asked("lightningcss"), "license"] },
  ]);
  for (const format of ["cyclonedx", "spdx"]) {
    const sbom = run("npm", ["sbom", "--sbom-format", format]);
    const list = JSON.parse(sbom)[format === "spdx" ? "packages" : "components"];
    const index = list.findIndex((one) => one.name === "nanoid");
    const [key, version] = format === "spdx" ? ["packages", "versionInfo"] : ["components", "version"];
    yield* both(`npm sbom ${format}`, sbom, [
      { question: "which version of nanoid is listed?", at: [key, index, version] },
    ]);
  }
  yield {
    name: "npm config ls --json",
    text: run("npm", ["config", "ls", "--json"]),
    questions: [
      { question: "what is fetch-retry-maxtimeout?", at: ["fetch-retry-maxtimeout"] },
      { question: "what is the value of save-prefix?", at: ["save-prefix"] },
    ],
  };
  const report = run(NODE, ["-p", "JSON.stringify(process.report.getReport(), null, 2)"]);
  yield* both("process.report", report, [
    { question: "which version of openssl is in componentVersions?", at: ["header", "componentVersions", "openssl"] },
    {
      question: "what is the totalCommittedMemory of the javascriptHeap?",
      at: ["javascriptHeap", "totalCommittedMemory"],
    },
    { question: "what is the open files limit (soft)?", at: ["userLimits", "open_files", "soft"] },
  ]);
  const commits = gitLog();
  const commit = nth(commits, 0.6);
  yield* both("git log as gh prints it", JSON.stringify(commits, null, 2), [
    {
      question: `who is the author of the commit "${commit.subject}"?`,
      at: [commits.indexOf(commit), "author", "email"],
    },
    {
      question: `what is the sha of the commit "${nth(commits, 0.3).subject}"?`,
      at: [commits.indexOf(nth(commits, 0.3)), "sha"],
    },
  ]);
  yield* fromTools(dir);
  yield* fromPython();
}

function gitLog() {
  const format = "%H%x00%an%x00%ae%x00%aI%x00%s%x00%b%x01";
  return run("git", ["log", "-120", `--format=${format}`])
    .split("\x01")
    .filter((one) => one.trim() !== "")
    .map((one) => {
      const [sha, name, email, date, subject, body] = one.trim().split("\0");
      return { sha, author: { name, email, date }, subject, body };
    });
}

function* fromTools(dir) {
  run(bin("esbuild"), [
    "packages/cli/src/jeeves.ts",
    ...["--bundle", "--platform=node", "--format=esm", "--splitting", "--log-level=error", "--sourcemap"],
    ...[
      "--external:@vscode/ripgrep",
      "--external:@photostructure/sqlite",
      "--external:web-tree-sitter",
      "--external:@vscode/tree-sitter-wasm",
    ],
    ...[`--outdir=${dir}/bundle`, `--metafile=${dir}/meta.json`],
  ]);
  if (existsSync(`${dir}/meta.json`)) {
    const meta = readFileSync(`${dir}/meta.json`, "utf8");
    const file = "packages/cli/src/commands/recover.ts";
    yield* both("esbuild --metafile", meta, [
      { question: `how many bytes has the input ${file}?`, at: ["inputs", file, "bytes"] },
    ]);
    const map = readdirSync(`${dir}/bundle`).find((name) => name.endsWith(".js.map"));
    if (map !== undefined) {
      const text = readFileSync(`${dir}/bundle/${map}`, "utf8");
      yield {
        name: "a source map",
        text,
        questions: [{ question: "what is the version of this source map?", at: ["version"] }],
      };
    }
  }
  writeFileSync(
    `${dir}/a.ts`,
    'import { readFile } from "node:fs";\nlet x: number = "text";\nvar y = eval("1");\nif (x == y) debugger;\nexport { x, readFile };\n'.repeat(
      1,
    ),
  );
  for (let i = 0; i < 40; i++)
    writeFileSync(
      `${dir}/part${i}.js`,
      `var part${i} = ${i};\nif (part${i} == "${i}") { debugger; }\n${i === 27 ? "with (part27) { delete part27; }\n" : ""}`,
    );
  for (const reporter of ["json", "json-pretty", "gitlab", "sarif"]) {
    const text = run(bin("biome"), ["lint", `--reporter=${reporter}`, "--max-diagnostics=400", dir], {
      anyStatus: true,
    });
    if (text.length < 2_000 || !text.trimStart().match(/^[[{]/)) continue;
    const near = "part27.js";
    yield {
      name: `biome --reporter=${reporter}`,
      text: text.trim(),
      questions: [{ question: "what is wrong in part27.js?", near, answer: near }],
    };
  }
  run(
    bin("tsc"),
    [
      "--noEmit",
      "--generateTrace",
      `${dir}/trace`,
      "--types",
      "node",
      "--typeRoots",
      join(root, "node_modules/@types"),
      `${dir}/a.ts`,
    ],
    { anyStatus: true },
  );
  for (const name of ["trace.json", "types.json"]) {
    if (!existsSync(`${dir}/trace/${name}`)) continue;
    const text = readFileSync(`${dir}/trace/${name}`, "utf8");
    if (text.length > 4_000_000) continue;
    const question =
      name === "trace.json" ? "how long did createProgram take?" : "which type has the symbolName ErrorOptions?";
    const near = name === "trace.json" ? '"createProgram"' : '"ErrorOptions"';
    if (text.includes(near))
      yield { name: `tsc --generateTrace, ${name}`, text, questions: [{ question, near, answer: near }] };
  }
  yield* fromVitest(dir);
  writeFileSync(
    `${dir}/bad.c`,
    `int main(void) {\n${Array.from({ length: 60 }, (_, i) => `  int v${i} = undeclared${i};`).join("\n")}\n}\n`,
  );
  const gcc = run("gcc", ["-fdiagnostics-format=json", "-fsyntax-only", `${dir}/bad.c`], {
    anyStatus: true,
    stderr: true,
  });
  if (gcc.startsWith("["))
    yield {
      name: "gcc -fdiagnostics-format=json",
      text: gcc,
      questions: [{ question: "where is undeclared41?", near: "undeclared41", answer: "undeclared41" }],
    };
  run(NODE, ["--cpu-prof", `--cpu-prof-dir=${dir}/prof`, bin("tsc"), "--version"], { anyStatus: true });
  const profile = existsSync(`${dir}/prof`) ? readdirSync(`${dir}/prof`)[0] : undefined;
  if (profile !== undefined) {
    const text = readFileSync(`${dir}/prof/${profile}`, "utf8");
    yield {
      name: "node --cpu-prof",
      text,
      questions: [{ question: "what is the endTime of the profile?", at: ["endTime"] }],
    };
  }
}

function* both(name, text, questions) {
  yield { name, text, questions };
  yield { name: `${name}, one line`, text: compact(text), questions };
}

function* fromVitest(dir) {
  const cases = Array.from(
    { length: 90 },
    (_, i) => `it("case ${i} adds up", () => expect(${i} + 1).toBe(${i === 63 ? 7 : i + 1}));`,
  );
  const [head, config] = [
    'import { expect, it } from "vitest";\n',
    "export default { test: { include: ['*.test.ts'] } };\n",
  ];
  writeFileSync(`${dir}/sum.test.ts`, head + cases.join("\n"));
  writeFileSync(`${dir}/vitest.config.mjs`, config);
  const text = run(bin("vitest"), ["run", "--reporter=json", "--root", dir], {
    anyStatus: true,
    env: { NODE_PATH: join(root, "node_modules") },
    linkModules: dir,
  });
  if (!text.includes("case 63")) return;
  const json = text.slice(text.indexOf("{"));
  yield {
    name: "vitest --reporter=json",
    text: json,
    questions: [
      { question: "why does the test fail?", near: '"fullName":"case 63', answer: '"status":"failed"' },
      { question: "how many tests failed?", near: '"numFailedTests"', answer: '"numFailedTests":1' },
    ],
  };
}

function* fromPython() {
  const vars = run(
    "python3",
    ["-c", "import json, sysconfig; print(json.dumps(sysconfig.get_config_vars(), default=str))"],
    { anyStatus: true },
  );
  if (vars.startsWith("{")) {
    yield* both("Python's sysconfig", vars.trim(), [
      { question: "what is LDSHARED?", at: ["LDSHARED"] },
      { question: "what is the value of EXT_SUFFIX?", at: ["EXT_SUFFIX"] },
    ]);
  }
  const pip = run("python3", ["-m", "pip", "list", "--format=json"], { anyStatus: true });
  if (pip.startsWith("[") && pip.length > 1_500) {
    const list = JSON.parse(pip);
    yield {
      name: "pip list --format=json",
      text: pip.trim(),
      questions: [
        {
          question: `which version of ${nth(list, 0.5).name} is there?`,
          at: [list.indexOf(nth(list, 0.5)), "version"],
        },
      ],
    };
  }
}
