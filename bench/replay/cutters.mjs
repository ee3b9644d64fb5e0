// Ways to cut an output, all asked the same: which lines are left, and what the reader then pays for. `shipped` goes
// through the product's own door for commands, so that the policy and what it knows of a session are those that ship.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { baselineScores } from "../quality/bm25.mjs";

const MARKER = /^⟦… ×?\d+ lines? (\d+)(?:-(\d+))?(?: like line \d+)?⟧$/;
const BM25_SHARE = 0.3;

/** Kept lines and markers as the reader sees them. */
export function render(output, kept) {
  const lines = output.split("\n");
  const shown = [];
  for (let i = 0; i < lines.length; i++) {
    if (kept[i]) shown.push(lines[i]);
    else {
      let end = i;
      while (end + 1 < lines.length && !kept[end + 1]) end++;
      shown.push(`⟦… ${end - i + 1} lines ${i + 1}-${end + 1}⟧`);
      i = end;
    }
  }
  return shown.join("\n");
}

/** Keeps exactly what will be used: what no cut can better. */
export function cutPerfectly({ output, used }) {
  const kept = Uint8Array.from(used, (step) => (step >= 0 ? 1 : 0));
  return { kept, shown: render(output, kept) };
}

/** The best lines by BM25 up to 30 % of the characters. */
export function cutByBm25({ output, focus }) {
  const lines = output.split("\n");
  const scores = baselineScores(lines, focus);
  const order = lines.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
  const kept = new Uint8Array(lines.length);
  let left = output.length * BM25_SHARE;
  for (const i of order) {
    left -= lines[i].length + 1;
    if (left < 0) break;
    kept[i] = 1;
  }
  return { kept, shown: render(output, kept) };
}

/** @param product the bundled @jeeves/intercept and @jeeves/cut */
export function createShipped({ cutCommandOutput, createCutter, createInProcessEngine }) {
  const dir = mkdtempSync(join(tmpdir(), "jeeves-replay-"));
  const transcriptPath = join(dir, "transcript.jsonl");
  const entries = [];
  const parts = {
    engine: createInProcessEngine(),
    store: { put: async ({ text, focus, options }) => ({ pruneId: idOf([text, focus, JSON.stringify(options)]) }) },
    meter: {
      record: async (entry) => void entries.push({ ts: new Date().toISOString(), ...entry }),
      entriesOf: async () => entries,
    },
    env: { JEEVES_STATE_DIR: dir, PATH: process.env.PATH ?? "" },
  };
  const deps = { ...parts, cutter: createCutter(parts) };
  return {
    startRun() {
      entries.length = 0;
    },
    noteRecovery({ tokens, contextTokens }) {
      const sizes = { raw_tokens: tokens, kept_tokens: tokens, context_tokens: contextTokens };
      entries.push({ ts: new Date().toISOString(), kind: "recovered", ...sizes });
    },
    async cut({ prompt, thought, command, output, exitCode, contextTokens }) {
      const said = (role, text, usage) => JSON.stringify({ type: role, message: { role, content: text, usage } });
      const usage = { input_tokens: contextTokens, output_tokens: 1 };
      writeFileSync(transcriptPath, `${said("user", prompt)}\n${said("assistant", thought, usage)}\n`);
      const shown = await cutCommandOutput(
        {
          command,
          text: output,
          exitCode,
          client: "replay",
          session: "replay",
          project: "replay",
          transcriptPath,
          signal: new AbortController().signal,
        },
        deps,
      );
      if (shown === undefined) return undefined;
      const kept = new Uint8Array(output.split("\n").length).fill(1);
      for (const line of shown.split("\n")) {
        const found = MARKER.exec(line);
        if (found !== null) kept.fill(0, Number(found[1]) - 1, Number(found[2] ?? found[1]));
      }
      return { kept, shown };
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** As long as a real one; equal where text, focus and options are. */
function idOf(parts) {
  const hex = createHash("sha256").update(parts.join("\0")).digest("hex");
  return `prn_${hex.slice(0, 12).replace(/[0189]/g, "k")}`;
}
