// A text of one endless line, JSON in this case, through every door that cuts: part of the line stays, what went out of it
// comes back by its characters, and the doors that promise whole lines keep it whole.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage, openService, openTools, runJeeves, runUnderExec, toReadEvent } from "./one-cut/doors.ts";
import { makePlace, QUESTION, readMeterLines, SESSION, type Wire } from "./one-cut/given.ts";

const FILE = "settings.json";
const ANSWER = '"checkedIn":"checkVoucherLimit","cents":4200';
const TEXT = JSON.stringify({
  shop: "north",
  rules: Array.from({ length: 700 }, (_, index) =>
    index === 431
      ? { name: "voucher limit", checkedIn: "checkVoucherLimit", cents: 4200, note: "höher 😀 nie" }
      : { name: `parcel row ${index}`, handledIn: `handleParcel${index % 9}`, days: index % 30, note: "größer 😀 oft" },
  ),
  end: true,
});
const MARKER = /⟦… ([\d,]+) chars (\d+)-(\d+)[^⟧]*⟧/g;
const place = makePlace({ [FILE]: TEXT });
const shown = new Map<string, string>();
const of = (door: string): string => shown.get(door) ?? "";
let refused: Wire;
let view: Wire;
let lines: Wire;
const recovered = new Map<string, string>();

beforeAll(async () => {
  const tools = await openTools(place, "test");
  const hooks = await openTools(place, "claude-code");
  const service = await openService(place);
  const page = await openPage(place);
  try {
    const asked = { context_focus_question: QUESTION };
    shown.set("read", await tools.call("read", { file_path: FILE, ...asked }));
    shown.set("bash", await tools.call("bash", { command: `cat ${FILE}`, ...asked }));
    const hook = JSON.parse(await hooks.call("jeeves_hook", toReadEvent(TEXT, place, FILE)));
    shown.set("hook", hook.hookSpecificOutput.updatedToolOutput.file.content);
    shown.set("jeeves-exec", runUnderExec(`cat ${FILE}`, place));
    shown.set("jeeves prune", runJeeves(["prune", FILE, "--focus", QUESTION], place));
    const prune = { query: QUESTION, code: TEXT };
    shown.set("/prune", (await service.post("/prune", prune)).pruned_code);
    const options = { min_keep_lines: 1, timeout_ms: 30_000, annotate_lines: false, include_markers: true };
    const args = {
      text: TEXT,
      goal_hint: QUESTION,
      source_type: "code",
      options: { ...options, max_prune_ratio: 0.9 },
    };
    const params = { name: "prune_text", arguments: args };
    const { result } = await service.post("/rpc", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    shown.set("prune_text", JSON.parse(result.content[0].text).pruned_text);

    for (const door of ["read", "bash", "hook"]) {
      const id = /prn_\w+/.exec(of(door))?.[0] ?? "";
      recovered.set(
        door,
        await backTogether(of(door), async (chars) => tools.call("recover_text", { prune_id: id, chars })),
      );
    }
    const pruneId = readMeterLines(place).find(({ by, kind }) => by === "person" && kind === "cut")?.prune_id ?? "";
    const run = async (chars: string) => runJeeves(["recover", pruneId, "--chars", chars], place);
    recovered.set("jeeves prune", await backTogether(of("jeeves prune"), run));

    const [marker = ""] = of("hook").match(MARKER) ?? [];
    const write = { file_path: `${place.root}/copy.json`, content: `{${marker}}` };
    refused = JSON.parse(
      await hooks.call("jeeves_hook", {
        ...{ session_id: SESSION, cwd: place.root, hook_event_name: "PreToolUse" },
        ...{ tool_name: "Write", tool_input: JSON.stringify(write) },
      }),
    );
    view = await page.get(`/api/cut?id=${/prn_\w+/.exec(of("read"))?.[0]}`);
    lines = await page.get(`/api/lines?id=${view.pruneId}&from=1&to=1`);
  } finally {
    await Promise.all([tools.close(), hooks.close(), service.close(), page.close()]);
  }
}, 120_000);
afterAll(() => place.remove());

/** The shown text with the recovered characters in the places of its markers, without the last line of the answer. */
async function backTogether(text: string, recover: (chars: string) => Promise<string>): Promise<string> {
  let whole = "";
  let next = 0;
  for (const found of text.matchAll(MARKER)) {
    whole += text.slice(next, found.index) + (await recover(`${found[2]}-${found[3]}`));
    next = found.index + found[0].length;
  }
  return (whole + text.slice(next)).replace(/\n\[(?:weak match; )?rest: .*\]\s*$/, "");
}

describe("one endless line", () => {
  it.each(["read", "bash", "hook", "jeeves-exec", "jeeves prune"])(
    "X-20 %s shows the part that answers, and how many characters went around it",
    (door) => {
      expect(of(door)).toContain(ANSWER);
      expect(of(door).match(MARKER)?.length).toBeGreaterThan(1);
      expect(of(door).length).toBeLessThan(TEXT.length / 5);
      expect(of(door)).toContain("items⟧");
    },
  );

  it.each(["read", "bash", "hook", "jeeves prune"])("X-48 %s: what went comes back by its characters", (door) => {
    // The hook's lines carry their numbers.
    expect(recovered.get(door)?.replace(/^1│ /, "").replace(/\n$/, "")).toBe(TEXT);
  });

  it("K-01 prune_text and /prune cut no line inside", () => {
    expect(of("/prune")).toBe(TEXT);
    expect(of("prune_text")).toBe(TEXT);
  });

  it("a Write that holds such a marker is refused, with the characters to recover", () => {
    const { permissionDecision, permissionDecisionReason } = refused.hookSpecificOutput;
    expect(permissionDecision).toBe("deny");
    expect(permissionDecisionReason).toMatch(/Read chars \d+-\d+ first/);
  });

  it("X-52 the meter has the cuts and what came back, and the page shows the line as the agent saw it", () => {
    const kinds = readMeterLines(place).map(({ kind, what }) => [kind, what]);
    expect(kinds.some(([kind, what]) => kind === "recovered" && /^chars \d+-\d+$/.test(what))).toBe(true);
    expect(view.blocks).toEqual([]);
    expect(lines.lines[0]).toMatch(/⟦… [\d,]+ chars \d+-\d+/);
  });
});
