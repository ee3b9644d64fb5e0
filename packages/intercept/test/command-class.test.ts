import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CommandClass, classOfCommand } from "../src/command-class.ts";
import { HELD, NOT_HELD, PIECES } from "./command-examples.ts";

const END = Number.POSITIVE_INFINITY;
const lines = (first: number, last: number) => ({ range: { first, last } });

describe("classOfCommand", () => {
  it.each<[string, CommandClass]>([
    ["cat src/a.ts", { class: "read", path: "src/a.ts" }],
    ["cat -n 'my file.ts'", { class: "read", path: "my file.ts" }],
    ["cd packages/api && cat a.ts", { class: "read", path: "packages/api/a.ts" }],
    ["cd /srv && cd api && pwd && cat a.ts", { class: "read", path: "/srv/api/a.ts" }],
    ["cd api && cat /etc/hosts", { class: "read", path: "/etc/hosts" }],
    ["(cd api && cat a.ts)", { class: "read", path: "api/a.ts" }],
    ["FORCE_COLOR=0 timeout 9 cat a.ts", { class: "read", path: "a.ts" }],
    ["nl -ba a.ts", { class: "read", path: "a.ts" }],
    ["nl -b a a.ts", { class: "read", path: "a.ts" }],
    ["bat --style=plain a.ts", { class: "read", path: "a.ts" }],
    ["sed 's/a/b/' a.ts", { class: "read", path: "a.ts" }],
    ["git show HEAD~2:src/a.ts", { class: "read", path: "src/a.ts" }],
    ["cat a.ts 2>/dev/null | cat -n", { class: "read", path: "a.ts" }],
    ["cat a.ts | cut -c1-200", { class: "read", path: "a.ts" }],
    ["cat a.ts b.ts", { class: "read" }],
    ["cat src/*.ts", { class: "read" }],
    ["cat $FILE", { class: "read" }],
    ["cat a.ts; cat b.ts", { class: "read" }],
    ["find . -name '*.ts' | xargs cat", { class: "read" }],
    ["find . -name '*.ts' -exec cat {} +", { class: "read" }],
    ["bash -lc 'cat a.ts'", { class: "read", path: "a.ts" }],
    ["docker compose exec -T api cat a.ts", { class: "read", path: "a.ts" }],
    ["docker exec -u root api cat a.ts", { class: "read", path: "a.ts" }],
  ])("%s reads a file", (command, found) => {
    expect(classOfCommand(command)).toEqual(found);
  });

  it.each<[string, Omit<CommandClass, "class">]>([
    ["sed -n '10,80p' a.ts", { path: "a.ts", ...lines(10, 80) }],
    ["sed -n 10,80p a.ts", { path: "a.ts", ...lines(10, 80) }],
    ["sed -n -e '10,+5p' a.ts", { path: "a.ts", ...lines(10, 15) }],
    ["sed -n '7p' a.ts", { path: "a.ts", ...lines(7, 7) }],
    ["sed -n '10,$p' a.ts", { path: "a.ts", ...lines(10, END) }],
    ["sed -n '10,80p;80q' a.ts", { path: "a.ts", ...lines(10, 80) }],
    ["sed '10,20!d' a.ts", { path: "a.ts", ...lines(10, 20) }],
    ["sed 40q a.ts", { path: "a.ts", ...lines(1, 40) }],
    ["sed -n '/start/,/end/p' a.ts", { path: "a.ts" }],
    ["sed -n '1,5p;9,12p' a.ts", { path: "a.ts" }],
    ["nl -ba a.ts | sed -n '1,200p'", { path: "a.ts", ...lines(1, 200) }],
    ["cat a.ts | head -50", { path: "a.ts", ...lines(1, 50) }],
    ["cat -n a.ts | head -n 50 | tail -n +11", { path: "a.ts", ...lines(11, 50) }],
    ["sed -n '10,80p' a.ts | head -20", { path: "a.ts", ...lines(10, 29) }],
    ["head -n 40 a.ts", { path: "a.ts", ...lines(1, 40) }],
    ["head -40 a.ts", { path: "a.ts", ...lines(1, 40) }],
    ["head --lines=40 a.ts", { path: "a.ts", ...lines(1, 40) }],
    ["head a.ts", { path: "a.ts", ...lines(1, 10) }],
    ["head -c 400 a.ts", { path: "a.ts" }],
    ["head -n -5 a.ts", { path: "a.ts" }],
    ["tail -n 20 a.ts", { path: "a.ts" }],
    ["tail -20 a.ts", { path: "a.ts" }],
    ["tail -n +20 a.ts", { path: "a.ts", ...lines(20, END) }],
    ["bat -r 1:50 a.ts", { path: "a.ts", ...lines(1, 50) }],
    ["bat --line-range=30: a.ts", { path: "a.ts", ...lines(30, END) }],
    ["awk 'NR>=10 && NR<=20' a.ts", { path: "a.ts", ...lines(10, 20) }],
    ["awk 'NR==10,NR==20 {print NR\": \"$0}' a.ts", { path: "a.ts", ...lines(10, 20) }],
    ["cd api && sed -n '1,5p' a.ts", { path: "api/a.ts", ...lines(1, 5) }],
    ["head -5 a.ts b.ts", lines(1, 5)],
  ])("%s reads some of its lines", (command, found) => {
    expect(classOfCommand(command)).toEqual({ class: "read-range", ...found });
  });

  it.each<[CommandClass["class"], readonly string[]]>([
    [
      "search",
      [
        "rg -n foo src",
        "grep -rn foo . | head -50",
        "cat a.ts | grep foo",
        "nl -ba a.ts | rg foo",
        "git grep foo",
        "git ls-files",
        "git -C ../x grep -n foo",
        "find . -name '*.ts'",
        "find . -name '*.ts' | xargs grep foo",
        "fd ts",
        "ls -la",
        "tree -L 2",
        "cd src && ls",
        "rg foo | sort | uniq",
      ],
    ],
    [
      "test",
      [
        "pytest -x",
        "python -m pytest tests | tail -50",
        "uv run pytest",
        "poetry run python -m unittest discover",
        "npx vitest run",
        "npm test",
        "npm run test:unit -- --run",
        "pnpm --filter api test",
        "yarn jest",
        "npm exec vitest",
        "mise exec -- pytest",
        "mise x -- go test ./...",
        "cargo test --workspace",
        "cargo nextest run",
        "go test ./... 2>&1 | grep -v ok",
        "make test",
        "make check",
        "./gradlew test",
        "./gradlew :app:test",
        "mvn -q test",
        "python manage.py test",
        "node --test",
        "python tests/test_api.py",
        "node test.js",
        "./run-tests.sh",
        "bash scripts/run_tests.sh",
        "docker compose exec api pytest",
        "docker compose exec -T -e A=1 api python -m pytest",
        "time npm test",
        "CI=1 timeout 300 npm test",
        "npm run build && npm test",
        "npm test; echo done",
        "bash -c 'cd api && npm test'",
        "bundle exec rspec",
        "npx playwright test",
      ],
    ],
    [
      "run",
      [
        "npm run build",
        "npm install",
        "tsc --noEmit",
        "npx tsc -p .",
        "eslint src",
        "ruff check .",
        "cargo build",
        "go vet ./...",
        "make",
        "cmake --build build",
        "python scripts/report.py",
        "python -c 'print(1)'",
        "python3 - <<'EOF'\nimport os\nprint(os.environ)\nEOF",
        "node server.js",
        "./deploy.sh",
        "bash deploy.sh --now",
        "docker build .",
        "docker compose logs api",
        "kubectl logs pod/api",
        "journalctl -u nginx",
        "git status && npm run build",
        "pip install -r requirements.txt",
      ],
    ],
    [
      "git",
      [
        "git log --oneline | head",
        "git show HEAD",
        "git diff --stat",
        "git --no-pager diff",
        "git -C ../api status",
        "git blame a.ts",
        "git stash list",
        "diff -u a b",
      ],
    ],
    [
      "other",
      [
        "",
        "echo hi",
        "git commit -m x",
        "git push",
        "cat a.ts | wc -l",
        "sort a.txt",
        "cat a.json | jq .x",
        "curl -s https://example.com",
        "ps aux",
        "sed -i 's/a/b/' a.ts",
        "cat a.ts | sort",
        "wc -l a.ts",
        "df -h",
      ],
    ],
  ])("%s", (expected, commands) => {
    const found = Object.fromEntries(commands.map((command) => [command, classOfCommand(command).class]));
    expect(found).toEqual(Object.fromEntries(commands.map((command) => [command, expected])));
  });

  it("has an answer for whatever is written", () => {
    for (const command of [...HELD, ...NOT_HELD]) expect(classOfCommand(command).class).toMatch(/^[a-z-]+$/);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...PIECES, "cat", "sed -n", "xargs", "bash -c"), fc.string())),
        (pieces) => {
          expect(classOfCommand(pieces.join(" ")).class).toMatch(/^[a-z-]+$/);
        },
      ),
    );
  });
});
