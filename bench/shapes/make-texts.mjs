// Tables, pages and packed text that programs print: sqlite3, dpkg, ps, ls, ripgrep, npm's and Debian's pages, pydoc, Chromium, esbuild.
// An answer is a place in the text: the first `answer` behind `near`.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bin, NODE, root, run } from "./run.mjs";

/** @returns {Iterable<{ name: string, text: string, path?: string, questions: object[] }>} */
export function* textOutputs(dir) {
  yield* databases(dir);
  yield* listings();
  yield* pages(dir);
  yield* packed(dir);
}

function* databases(dir) {
  const rows = filesBelow(join(root, "packages"), 900).map((file, index) => {
    const { size } = statSync(file);
    return [index + 1, file.slice(root.length + 1), size, file.endsWith(".test.ts") ? "test" : "source"];
  });
  const quoted = (cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
  const csv = `${[["id", "path", "bytes", "sort"], ...rows].map((row) => row.map(quoted).join(",")).join("\n")}\n`;
  writeFileSync(`${dir}/files.csv`, csv);
  const db = `${dir}/files.db`;
  run("sqlite3", [db, ".mode csv", `.import ${dir}/files.csv files`]);
  const asked = rows
    .filter(([, path]) => /\/(?:dispatch|recover|keep-matches|follow-meter)\.ts$/.test(path))
    .slice(0, 3);
  for (const mode of ["csv", "json", "box", "table", "column", "markdown", "html", "tabs", "ascii", "line"]) {
    const text = run("sqlite3", ["-header", "-cmd", `.mode ${mode}`, db, "select * from files"]);
    if (text === "") continue;
    const questions = asked.map(([, path, bytes]) => ({
      question: `how many bytes has ${path}?`,
      near: path,
      answer: String(bytes),
    }));
    const path = mode === "csv" ? { path: "files.csv" } : mode === "html" ? { path: "files.html" } : {};
    yield { name: `sqlite3 -${mode}`, text, ...path, questions };
  }
  const wide = `select 1 ${Array.from({ length: 300 }, (_, c) => `, id * ${c + 1} as col_${c}`).join("")} from files limit 200`;
  const text = run("sqlite3", ["-header", "-cmd", ".mode csv", db, wide]);
  if (text !== "")
    yield {
      name: "sqlite3 -csv of 301 columns",
      text,
      path: "wide.csv",
      questions: [{ question: "which column is col_123?", near: "col_123", answer: "col_123" }],
    };
  for (const sign of [";", "\t"]) {
    const answer = asked[0];
    if (answer === undefined) continue;
    const other = csv.replaceAll(",", sign);
    yield {
      name: `values with ${sign === ";" ? "semicolons" : "tabs"}`,
      text: other,
      questions: [{ question: `how many bytes has ${answer[1]}?`, near: answer[1], answer: String(answer[2]) }],
    };
  }
}

function* listings() {
  const listed = (name, text, questions) => (text.length < 3_000 ? undefined : { name, text, questions });
  const own = String(process.pid);
  const found = [
    listed("dpkg -l", run("dpkg", ["-l"]), [
      { question: "which version of the package sqlite3 is installed?", near: "ii  sqlite3 ", answer: "sqlite3" },
      { question: "which version of zlib1g is installed?", near: "ii  zlib1g:", answer: "zlib1g:" },
    ]),
    listed("ps aux", run("ps", ["aux"]), [
      { question: `which command has the pid ${own}?`, near: ` ${own} `, answer: own },
    ]),
    listed("ps -ef", run("ps", ["-ef"]), [
      { question: "which process is shapes.mjs?", near: "shapes.mjs", answer: "shapes.mjs" },
    ]),
    listed("ls -la /usr/bin", run("ls", ["-la", "/usr/bin"]), [
      { question: "how large is sha256sum?", near: " sha256sum", answer: "sha256sum" },
      { question: "where does the link awk lead to?", near: " awk ->", answer: "awk ->" },
    ]),
    listed("ls -lR", run("ls", ["-lR", "packages/prune/src"]), [
      { question: "how large is failed-lists.ts?", near: "failed-lists.ts", answer: "failed-lists.ts" },
    ]),
    listed("ls -l --time-style=full-iso", run("ls", ["-l", "--time-style=full-iso", "/etc"]), [
      { question: "when was passwd changed?", near: " passwd\n", answer: "passwd" },
    ]),
    listed("ps -eo with columns", run("ps", ["-eo", "pid,ppid,rss,etime,comm,args"]), [
      { question: "which process is shapes.mjs?", near: "shapes.mjs", answer: "shapes.mjs" },
    ]),
    listed(
      "dpkg-query, tabs",
      run("dpkg-query", [
        "-W",
        "-f",
        `${["Package", "Version", "Architecture"].map((field) => `\${${field}}\\t`).join("")}\\n`,
      ]),
      [{ question: "what is the version of dash?", near: "\ndash\t", answer: "dash" }],
    ),
    listed("git ls-tree -r -l", run("git", ["ls-tree", "-r", "-l", "HEAD"]), [
      { question: "which blob is scripts/bench.mjs?", near: "scripts/bench.mjs", answer: "scripts/bench.mjs" },
    ]),
    listed("/etc/services", read("/etc/services"), [
      { question: "which port has ldaps?", near: "\nldaps", answer: "ldaps" },
    ]),
    listed("rg --json", run("rg", ["--json", "export function", "packages/prune/src"]), [
      { question: "where is keepRatio?", near: "keepRatio", answer: "keepRatio" },
    ]),
    listed("lsblk, findmnt --json", run("findmnt", ["--json", "-A"]), [
      { question: "what is mounted at /proc?", near: '"/proc"', answer: '"/proc"' },
    ]),
    listed("lscpu --json", run("lscpu", ["--json"]), [
      { question: "what is the Model name?", near: "Model name", answer: "Model name" },
    ]),
  ];
  yield* found.filter((one) => one?.questions.every(({ near }) => one.text.includes(near)));
}

function* pages(dir) {
  const npm = join(dirname(NODE), "../lib/node_modules/npm/docs/output");
  const others = ["/usr/share/nodejs/npm/docs/output", "/usr/lib/node_modules/npm/docs/output"];
  const docs = [npm, ...others].find((place) => existsSync(place));
  const asked = {
    "commands/npm-install.html": ["what does --save-exact do?", 'id="save-exact"', "save-exact"],
    "commands/npm-ci.html": ["what does ci do to node_modules?", "If a", "node_modules"],
    "commands/npm-publish.html": ["what does --provenance do?", 'id="provenance"', "provenance"],
    "configuring-npm/package-json.html": [
      "what is the field bundleDependencies for?",
      'id="bundledependencies"',
      "bundleDependencies",
    ],
    "using-npm/config.html": ["what does fetch-retry-factor set?", "fetch-retry-factor", "fetch-retry-factor"],
    "using-npm/scripts.html": ["when does prepublishOnly run?", "prepublishOnly", "prepublishOnly"],
    "commands/npm-version.html": ["what does --sign-git-tag do?", 'id="sign-git-tag"', "sign-git-tag"],
    "using-npm/registry.html": [
      "does npm send information about me to the registry?",
      "information about me",
      "information about me",
    ],
  };
  for (const [file, [question, near, answer]] of Object.entries(asked)) {
    const text = docs === undefined ? "" : read(join(docs, file));
    if (text.includes(near))
      yield { name: `npm's page ${file}`, text, path: file, questions: [{ question, near, answer }] };
  }
  for (const [module, near, question] of [
    ["subprocess", "check_output", "what does check_output do?"],
    ["argparse", "ArgumentDefaultsHelpFormatter", "what is ArgumentDefaultsHelpFormatter?"],
    ["json", "sort_keys", "what does sort_keys do?"],
    ["logging", "captureWarnings", "what does captureWarnings do?"],
    ["shutil", "make_archive", "what does make_archive do?"],
  ]) {
    run("python3", ["-m", "pydoc", "-w", module], { cwd: dir });
    const text = read(`${dir}/${module}.html`);
    if (text.includes(near))
      yield { name: `pydoc -w ${module}`, text, path: `${module}.html`, questions: [{ question, near, answer: near }] };
  }
  for (const [file, near, question] of [
    ["/usr/share/doc/base-passwd/users-and-groups.html", "www-data", "what is the user www-data for?"],
    ["/usr/share/doc/socat/socat.html", "OPENSSL-LISTEN", "what does OPENSSL-LISTEN do?"],
    ["/usr/share/doc/python3/python-policy.html", "dh_python3", "what does dh_python3 do?"],
    ["/usr/share/doc/zlib1g-dev/examples/zlib_how.html", "deflateInit()", "what does deflateInit do?"],
  ]) {
    const text = read(file);
    if (!text.includes(near)) continue;
    yield { name: `Debian's ${file.slice(15)}`, text, path: file, questions: [{ question, near, answer: near }] };
    const dom = run("chromium", [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      `--user-data-dir=${dir}/chromium`,
      "--dump-dom",
      `file://${file}`,
    ]);
    if (dom.includes(near))
      yield { name: `chromium --dump-dom ${file.slice(15)}`, text: dom, questions: [{ question, near, answer: near }] };
  }
}

function* packed(dir) {
  for (const [file, near, question] of [
    ["packages/prune/src/prune.ts", "constraints_unmet", "where does constraints_unmet come from?"],
    ["packages/kit/src/mcp/dispatch.ts", "resultType", "where is resultType set?"],
    ["packages/viewer/src/page/cut/fold-model.ts", "rowOfLine", "what does rowOfLine do?"],
    ["packages/rudder/src/lease/decide.ts", "expires", "what happens once a lease expires?"],
  ]) {
    const out = `${dir}/${file.replaceAll("/", "-")}.min.js`;
    run(
      bin("esbuild"),
      [
        file,
        "--bundle",
        "--minify",
        "--format=esm",
        "--platform=node",
        "--packages=external",
        `--outfile=${out}`,
        "--log-level=error",
      ],
      { anyStatus: true },
    );
    const text = read(out);
    if (text.length > 2_000 && text.includes(near))
      yield {
        name: `esbuild --minify ${file}`,
        text,
        path: "bundle.min.js",
        questions: [{ question, near, answer: near }],
      };
  }
  for (const [file, near, question] of [
    ["node_modules/axe-core/axe.min.js", "color-contrast-enhanced", "where is the rule color-contrast-enhanced?"],
    ["node_modules/uplot/dist/uPlot.iife.min.js", "setSelect", "where does setSelect come from?"],
  ]) {
    const text = read(join(root, file));
    if (text.includes(near)) yield { name: file, text, path: file, questions: [{ question, near, answer: near }] };
  }
  writeFileSync(`${dir}/page.css`, read(join(root, "packages/viewer/src/page/style.css")) || cssOf());
  const css = run(bin("esbuild"), [`${dir}/page.css`, "--minify", "--log-level=error"]);
  if (css.length > 2_000 && css.includes("prefers-color-scheme"))
    yield {
      name: "esbuild --minify of CSS",
      text: css,
      questions: [
        {
          question: "what does prefers-color-scheme change?",
          near: "prefers-color-scheme",
          answer: "prefers-color-scheme",
        },
      ],
    };
}

function cssOf() {
  const files = filesBelow(join(root, "packages/viewer/src"), 400).filter((file) => file.endsWith(".css"));
  return files.map(read).join("\n");
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function filesBelow(place, most) {
  const names = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const files = names.map((one) => join(one.parentPath ?? one.path, one.name));
  return files
    .filter((file) => /\/(?:src|test)\//.test(file))
    .sort()
    .slice(0, most);
}
