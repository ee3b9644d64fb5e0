// What a path alone tells about a file: its language family, its part in a project, and whether it is worth reading.
// A wrong guess costs rank, never correctness.

/** Languages that are scanned by the same patterns. */
export type Family = "python" | "script" | "go" | "rust" | "braces" | "ruby" | "shell" | "docs" | "data" | "plain";
/** The part that a file plays in its project. */
export type Part = "implementation" | "tests" | "config" | "docs" | "types" | "entry";

const FAMILY_OF: ReadonlyMap<string, Family> = new Map(
  (
    [
      ["python", "py pyi pyw pyx"],
      ["script", "js mjs cjs jsx ts mts cts tsx vue svelte astro"],
      ["go", "go"],
      ["rust", "rs"],
      [
        "braces",
        "java kt kts scala swift c h cc cpp cxx hh hpp hxx cs php dart m mm zig groovy proto css scss less graphql sol",
      ],
      ["ruby", "rb rake gemspec ex exs cr lua"],
      ["shell", "sh bash zsh fish ps1 psm1 mk cmake"],
      ["docs", "md mdx markdown rst adoc txt org"],
      [
        "data",
        "json jsonc yaml yml toml ini cfg conf xml csv tsv properties sql html htm svg lock env ipynb po sqlfluff",
      ],
    ] as const
  ).flatMap(([family, extensions]) => extensions.split(" ").map((extension): [string, Family] => [extension, family])),
);

const SKIPPED_EXTENSION =
  /\.(?:png|jpe?g|gif|ico|webp|avif|bmp|tiff?|pdf|zip|gz|bz2|xz|zst|7z|tar|jar|war|whl|egg|class|o|a|so|dylib|dll|exe|bin|dat|wasm|woff2?|ttf|otf|eot|mp[34]|m4a|ogg|flac|wav|mov|avi|webm|mkv|db|sqlite3?|pyc|pyo|pack|idx|map|min\.js|min\.css|snap|pem|key|p12|pfx|crt|cer|der|jks|keystore|kdbx|npz?|npy|h5|nc|grib|pkl|parquet|onnx|pt|safetensors)$/i;
const GENERATED_NAME =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock|flake\.lock)$|(?:^|\/)(?:node_modules|__pycache__|\.git|\.hg|\.svn|\.venv|vendor\/bundle)\/|[._-](?:pb|generated|gen)\.(?:go|py|ts|js|java|cc|h)$|_pb2(?:_grpc)?\.pyi?$/;

/** The extension in lower case without its dot; "" where there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot >= 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/** By extension, else by a well-known file name; "plain" for all others. */
export function familyOf(path: string): Family {
  const known = FAMILY_OF.get(extensionOf(path));
  if (known !== undefined) return known;
  if (/(?:^|\/)(?:Makefile|Dockerfile|Justfile|Rakefile|Gemfile|Procfile)\b/.test(path)) return "shell";
  return /(?:^|\/)(?:README|CHANGES|CHANGELOG|CONTRIBUTING|LICENSE|AUTHORS|NEWS|HISTORY)\b/i.test(path)
    ? "docs"
    : "plain";
}

/** Whether a path is binary, generated, a lock file, a secret or installed code by its name: such files are not scanned. */
export function isSkipped(path: string): boolean {
  return SKIPPED_EXTENSION.test(path) || GENERATED_NAME.test(path);
}

/** Whether a path is that of a test, a fixture or test data. */
export function isTestPath(path: string): boolean {
  return /(?:^|\/)(?:tests?|testing|__tests__|specs?|e2e|testdata|fixtures)\/|(?:^|\/)(?:test_|conftest\.)[^/]*$|[._-](?:test|tests|spec|e2e)\.[^/.]+$|[a-z](?:Test|Tests|Spec)\.(?:java|kt|cs|php|scala|swift)$/.test(
    path,
  );
}

/** The first that fits of: tests, docs, config, types, entry, implementation. */
export function partOf(path: string): Part {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const family = familyOf(path);
  if (isTestPath(path)) return "tests";
  if (family === "docs") return "docs";
  if (
    family === "data" ||
    /^(?:\.[^/]+|.*\.config\.[cm]?[jt]s|setup\.(?:py|cfg)|Makefile|Dockerfile|.*\.mk|CMakeLists\.txt|noxfile\.py|tox\.ini)$/.test(
      name,
    )
  )
    return "config";
  if (/\.d\.ts$|\.pyi$|(?:^|[/_-])(?:types?|typings?|interfaces?)\.[^/.]+$/.test(path)) return "types";
  if (/^(?:__main__|main|cli|index|app|server|mod|lib|cmd|bin)\.[^/.]+$|^manage\.py$/.test(name)) return "entry";
  return "implementation";
}

/** Whether a text is one name, as a definition has it. */
export function isName(text: string): boolean {
  return /^[\w$]+$/.test(text);
}
