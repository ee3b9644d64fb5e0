// Languages without a grammar: their everyday shapes give the scopes that a grammar would.
import { describe, expect, it } from "vitest";
import { type Outline, ROLE } from "../../src/outline/outline.ts";
import { segmentByIndent } from "../../src/outline/segment-indent.ts";
import { splitLines } from "../../src/text/lines.ts";

const outlineOf = (text: string): Outline => segmentByIndent(splitLines(text));
const named = (outline: Outline): string[] =>
  outline.scopes
    .filter((s) => s.kind === "class" || s.kind === "function")
    .map((s) => `${s.kind} ${s.name} ${s.lead + 1}/${s.start + 1}/${s.headerEnd + 1}-${s.end + 1}`);
const linesOf = (outline: Outline, role: number): number[] =>
  [...outline.role.keys()].filter((i) => ((outline.role[i] ?? 0) & role) !== 0).map((i) => i + 1);

/** Each scope as lead/start/headerEnd-end, 1-based. */
const SAMPLES: Record<string, { text: string; scopes: string[] }> = {
  Kotlin: {
    text: `package a
import b.C
/**
 * A cache.
 */
@Internal
public class Cache(
  private val size: Int,
) : Store {
  private companion object {
    const val MOST = 3
  }
  override suspend fun <T> load(
    key: String,
  ): T? {
    return if (key == "") {
      null
    } else {
      find(key)
    }
  }
  fun size() = size
  val isEmpty: Boolean
    get() = size == 0
}
`,
    scopes: ["class Cache 3/7/9-25", "class  10/10/10-12", "function load 13/13/15-21", "function size 22/22/22-22"],
  },
  Swift: {
    text: `extension Headers: Sequence {
    /// How many.
    public var count: Int {
        items.count
    }
    @discardableResult
    public init?(name: String,
                 value: String) throws {
        self.items = []
    }
    class func make<T>(from other: T) -> Headers
        where T: Sequence
    {
        Headers()
    }
}
`,
    scopes: [
      "class Headers 1/1/1-16",
      "function count 2/3/3-5",
      "function init? 6/7/8-10",
      "function make 11/11/13-15",
    ],
  },
  Scala: {
    text: `trait Ops[F[_]] extends Serializable {
  /** Combines
    * both.
    */
  @inline override def combine[A](x: F[A])(implicit
      f: Monoid[A]
  ): F[A] =
    if (x == null) f.empty
    else x
  def self: F[Int]
}
`,
    scopes: ["class Ops 1/1/1-11", "function combine 2/5/7-9", "function self 10/10/10-10"],
  },
  Lua: {
    text: `local util = require "util"
--- Loads it.
-- @param key
local function load(key)
  if not key then -- nothing to do
    return nil
  elseif key == "" then
    return ""
  end
  return M.find(key)
end
M.find = function(key)
  return key
end
function M:drop(key)
  self[key] = nil
end
`,
    scopes: ["function load 2/4/4-11", "function M.find 12/12/12-14", "function drop 15/15/15-17"],
  },
  Elixir: {
    text: `defmodule Store do
  @doc """
  Loads it.

Even with a line that stands out.
  """
  @spec load(String.t(), keyword) ::
          {:ok, term}
  def load(key, opts)
      when is_binary(key) do
    fun = &find(&1, opts)
    with {:ok, x} <- fun.(key) do
      x
    end
  rescue
    _ -> nil
  end
  defp find(_key, _opts), do: nil
  test "finds nothing" do
    assert find("", []) == nil
  end
end
`,
    scopes: [
      "class Store 1/1/1-22",
      "function load 2/9/10-17",
      "function find 18/18/18-18",
      "function test finds nothing 19/19/19-21",
    ],
  },
  Dart: {
    text: `class Box extends Widget {
  @override
  Widget build(BuildContext context)
  {
    for (final item in items)
    {
      add(item);
    }
    return run(() {
      done();
    });
  }
}
`,
    scopes: ["class Box 1/1/1-13", "function build 2/3/4-12"],
  },
};

describe("segmentByIndent", () => {
  it.each(Object.entries(SAMPLES))("%s: names, signatures, what leads and what closes them", (_, { text, scopes }) => {
    expect(named(outlineOf(text))).toEqual(scopes);
  });

  it("a chain of branches is one block, its branches inside", () => {
    const { scopes } = outlineOf(
      "fun f() {\n  if (a) {\n    b()\n  } else if (c) {\n    d()\n  }\n  else {\n    e()\n  }\n}\n",
    );
    const at = scopes.findIndex((s) => s.kind === "block");
    expect(scopes[at]).toMatchObject({ start: 1, end: 8, closer: 8 });
    expect(scopes.filter((s) => s.kind === "branch").map((s) => [s.parent, s.start])).toEqual([
      [at, 3],
      [at, 6],
    ]);
  });

  it("a call over a few lines is one statement, a lambda's is not", () => {
    const outline = outlineOf("fun f() {\n  val x = g(\n    1,\n    2,\n  )\n  h {\n    x\n  }\n}\n");
    expect([...outline.unitEnd.slice(1, 5)]).toEqual([4, 4, 4, 4]);
    expect(outline.scopes.map((s) => `${s.kind} ${s.start + 1}-${s.end + 1}`)).toEqual([
      "file 1-9",
      "function 1-9",
      "block 6-8",
    ]);
  });

  it("what stands at the margin inside a function does not end it", () => {
    const inside =
      '  a()\n#if DEBUG\n  b()\n#endif\n// c()\n/*\nd()\n*/\n  let s = """\ntext\n"""\n  x(<<EOF)\nend\nEOF\n';
    const outline = outlineOf(`func f() {\n${inside}  e()\n}\nfunc g() {\n  f()\n}\n`);
    expect(named(outline)).toEqual(["function f 1/1/1-17", "function g 18/18/18-20"]);
    expect(linesOf(outline, ROLE.comment)).toEqual([6, 7, 8, 9]);
  });

  it("comments of many languages are seen as such, and what only looks like one is not", () => {
    const comments = ["// a", "# a", "-- a", "---", "--- a", "; a", "% a", " * a", "(* a *)", "<!-- a -->"];
    const code = ["*p = 1;", "--i;", "%{a: 1}", "#[derive(A)]", ";(a)", "x -- y"];
    expect(linesOf(outlineOf([...comments, ...code].join("\n")), ROLE.comment)).toEqual(
      [...comments.keys()].map((i) => i + 1),
    );
  });

  it("what is opened and never closed hides nothing", () => {
    for (const mark of ["/* a", '"""', "--[[ a", "=begin"])
      expect(named(outlineOf(`${mark}\nfun f() {\n  a()\n}\n`))).toEqual(["function f 1/2/2-4"]);
    for (const mark of ['x = """', "x <<EOF"])
      expect(named(outlineOf(`${mark}\nfun f() {\n  a()\n}\n`))).toEqual(["function f 2/2/2-4"]);
  });
});
