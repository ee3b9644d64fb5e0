import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { meterLinesIn, type Server, startServer } from "./server-under-test.ts";
import { pythonModule } from "./texts.ts";

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

const text = pythonModule();
const ask = { file_path: "orders.py", context_focus_question: "How long does it wait between two attempts?" };

async function read(mode: string): Promise<{ shown: string; pruning: Record<string, unknown>; kinds: string[] }> {
  const server = await startServer({ env: { JEEVES_MODE: mode } });
  open.push(server);
  await writeFile(join(server.root, "orders.py"), text);
  const { content, structuredContent } = await server.call("read", ask);
  return {
    shown: content[0].text,
    pruning: structuredContent.pruning,
    kinds: meterLinesIn(server.stateDir).map(({ kind }) => kind),
  };
}

it("X-52 on cuts and counts, shadow counts and shows everything, off does neither", async () => {
  const on = await read("on");
  expect(on).toMatchObject({ pruning: { applied: true }, kinds: ["cut", "surface"] });
  expect(on.shown.length).toBeLessThan(text.length / 2);
  expect(await read("shadow")).toMatchObject({
    shown: text,
    pruning: { applied: false },
    kinds: ["shadow", "surface"],
  });
  expect(await read("off")).toMatchObject({ shown: text, pruning: { attempted: false }, kinds: [] });
});
