// `POST /prune`: the public swe-pruner contract, so that its clients work unchanged. There is no model here, so
// there are no token scores; what was cut is stored all the same, and a header names the id that brings it back.
import type { Events } from "@jeeves/kit/events";
import { type Exchange, type HttpAnswer, HttpError, type HttpRoute, jsonAnswer, requireJson } from "@jeeves/kit/http";
import { type Amount, countLines, estimateTokens, type Pruned, renderPruned } from "@jeeves/prune";
import * as z from "zod";
import { emitFallback } from "./fallback.ts";
import type { PruneDeps } from "./tools/prune-text.ts";

const TIMEOUT_MS = 30_000;
const DEFAULT_THRESHOLD = 0.5;
// How far a threshold may move the amount that the engine would choose.
const MAX_GENEROSITY = 2;

const requestSchema = z.object({
  query: z.string(),
  code: z.string(),
  threshold: z.number().default(DEFAULT_THRESHOLD),
  always_keep_first_frags: z.boolean().default(false),
  chunk_overlap_tokens: z.number().default(50),
  max_prune_ratio: z.number().min(0).max(1).nullish(),
});

type PruneRequest = z.infer<typeof requestSchema>;

const SCORES: Readonly<Record<Pruned["match"], number>> = { clear: 1, weak: 0.5, none: 0 };

interface RouteDeps extends PruneDeps {
  readonly events: Events;
}

export function createPruneRoute(deps: RouteDeps): HttpRoute {
  return { path: "/prune", methods: ["POST"], access: "open", handle: (exchange) => answer(exchange, deps) };
}

async function answer(exchange: Exchange, deps: RouteDeps): Promise<HttpAnswer | undefined> {
  requireJson(exchange.request);
  const request = parseRequest(await exchange.readBody());
  const { code, query } = request;
  const cut = await deps.engine.cut(code, {
    focus: query,
    amount: toAmount(request),
    timeoutMs: TIMEOUT_MS,
    signal: exchange.signal,
  });
  if (exchange.response.destroyed) return undefined; // nobody is there: not worth measuring a long text for
  const letThrough = (why: string, storeError?: unknown) => {
    emitFallback(deps.events, { tool: "/prune", warnings: [why], storeError });
    return jsonAnswer(200, toAnswer(code, undefined, { error: why }));
  };
  if (cut.kind === "whole") return letThrough(cut.why);
  const pruned = request.always_keep_first_frags ? withFirstLine(cut.pruned) : cut.pruned;
  if (pruned.blocks.length === 0) return jsonAnswer(200, toAnswer(code, pruned));
  const { code: _, ...options } = request;
  const blocks = pruned.blocks.map((block) => [block.startLine, block.endLine]);
  try {
    const asked = { text: code, focus: query, options: { tool: "/prune", ...options } };
    const { pruneId } = await deps.store.put({ ...asked, source: { tool: "/prune" }, cut: { blocks } });
    return jsonAnswer(200, toAnswer(code, pruned), { "jeeves-prune-id": pruneId });
  } catch (error) {
    return letThrough("recovery_unavailable", error);
  }
}

function parseRequest(bytes: Uint8Array): PruneRequest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new HttpError(400, "invalid_json", "the body is not JSON");
  }
  const parsed = requestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const details = issues.map((issue) => ({ field: issue.path.join("."), code: issue.code }));
  const words = issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  throw new HttpError(422, "invalid_request", words.join("; "), { details });
}

/**
 * The ratio is a share of the text here, markers included, and not of its lines as in prune_text: at the same size that
 * keeps more of what matters. A higher threshold keeps less; at its default the engine decides alone.
 */
function toAmount({ max_prune_ratio: ratio, threshold }: PruneRequest): Amount {
  if (ratio !== undefined && ratio !== null) return { mode: "share", keep: 1 - ratio };
  const generosity = threshold > 0 ? DEFAULT_THRESHOLD / threshold : MAX_GENEROSITY;
  return { mode: "auto", generosity: Math.min(MAX_GENEROSITY, Math.max(1 / MAX_GENEROSITY, generosity)) };
}

/** The first fragment is the first line. */
function withFirstLine(pruned: Pruned): Pruned {
  const [first, ...rest] = pruned.blocks;
  if (first === undefined || first.startLine > 1) return pruned;
  const shorter = first.lineCount === 1 ? [] : [{ ...first, startLine: 2, lineCount: first.lineCount - 1 }];
  const kept = pruned.kept.slice();
  kept[0] = 1;
  return { ...pruned, kept, blocks: [...shorter, ...rest] };
}

function toAnswer(code: string, pruned: Pruned | undefined, failure?: { readonly error: string }) {
  const marker = ({ lineCount }: { readonly lineCount: number }) => `(filtered ${lineCount} lines)`;
  const prunedCode = pruned === undefined ? code : renderPruned(code, pruned, { marker });
  const tokens = estimateTokens(code);
  return {
    score: pruned === undefined ? 0 : SCORES[pruned.match],
    pruned_code: prunedCode,
    token_scores: [],
    kept_frags: pruned === undefined ? allLines(code) : linesKept(pruned),
    origin_token_cnt: tokens,
    left_token_cnt: prunedCode === code ? tokens : estimateTokens(prunedCode),
    model_input_token_cnt: 0,
    error_msg: failure === undefined ? null : `nothing was pruned: ${failure.error}`,
  };
}

function linesKept({ kept }: Pruned): readonly number[] {
  const lines: number[] = [];
  for (const [index, why] of kept.entries()) if (why !== 0) lines.push(index + 1);
  return lines;
}

function allLines(code: string): readonly number[] {
  return Array.from({ length: countLines(code) }, (_, index) => index + 1);
}
