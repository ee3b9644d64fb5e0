// `POST /prune`: the public swe-pruner contract, so that its clients work unchanged. There is no model here, so
// there are no token scores; what was cut is stored all the same, and a header names the id that brings it back.

import { clientOf } from "@jeeves/base";
import {
  type CutRequest,
  type CutResult,
  type Cutter,
  clientView,
  countLines,
  estimateTokens,
  OUTPUT_CLASSES,
  type OutputClass,
  orderPolicy,
  outlineFor,
  policyFor,
  type Situation,
} from "@jeeves/cut";
import type { Events } from "@jeeves/kit/events";
import { type Exchange, type HttpAnswer, HttpError, type HttpRoute, jsonAnswer, requireJson } from "@jeeves/kit/http";
import type { Amount, Pruned } from "@jeeves/prune";
import * as z from "zod";
import { emitFallback, toWarning } from "./fallback.ts";

const TOOL = "/prune";
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
  situation: z
    .object({
      client: z.string().nullish(),
      tool: z.string().nullish(),
      class: z.enum(OUTPUT_CLASSES).nullish(),
      path: z.string().nullish(),
      call: z.number().nullish(),
      ctx: z.number().min(0).nullish(),
      raw_tokens: z.number().min(0).nullish(),
      seen: z.boolean().nullish(),
      repeated: z.number().min(0).max(1).nullish(),
    })
    .nullish(),
});

type PruneRequest = z.infer<typeof requestSchema>;

const SCORES: Readonly<Record<Pruned["match"], number>> = { clear: 1, weak: 0.5, none: 0 };

interface RouteDeps {
  readonly cutter: Cutter;
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
}

/** `POST /prune`. Answers 400 for what is not JSON and 422 for invalid fields, each named in `details`. */
export function createPruneRoute(deps: RouteDeps): HttpRoute {
  return { path: "/prune", methods: ["POST"], access: "open", handle: (exchange) => answer(exchange, deps) };
}

async function answer(exchange: Exchange, { cutter, events, env }: RouteDeps): Promise<HttpAnswer | undefined> {
  requireJson(exchange.request);
  const request = parseRequest(await exchange.readBody());
  const result = await cutter.cut(toCutRequest(request, exchange, env));
  if (exchange.response.destroyed) return undefined; // the client is gone
  // What the policy leaves whole is no failure.
  if (result.kind === "whole" && isOrder(request)) {
    const { reason, stored } = result;
    const storeError = stored?.kind === "failed" ? stored.error : undefined;
    emitFallback(events, { tool: TOOL, warnings: [toWarning(reason)], storeError });
  }
  const headers = result.kind === "cut" && result.pruneId !== "" ? { "jeeves-prune-id": result.pruneId } : {};
  return jsonAnswer(200, toAnswer(request, result), headers);
}

function toCutRequest(
  { code, ...request }: PruneRequest,
  { signal, isOwner }: Exchange,
  env: NodeJS.ProcessEnv,
): CutRequest {
  return {
    text: code,
    focus: request.query,
    ...(request.situation?.path ? { path: request.situation.path } : {}),
    ...(request.situation ? { situation: toSituation(request.situation) } : {}),
    ...(isOrder(request) ? { policy: orderPolicy } : toDecision(code, request.situation, env)),
    caller: { session: "", client: "", tool: TOOL, dir: "" },
    args: undefined,
    amount: toAmount(request),
    wholeLines: true, // K-01
    keepsFirstLine: request.always_keep_first_frags,
    form: { marker: ({ lineCount }) => `(filtered ${lineCount} lines)` },
    source: { tool: TOOL },
    idOptions: () => ({ tool: TOOL, ...request }),
    // everyone on this machine may call; the meter is the owner's.
    isCounted: () => isOwner(),
    signal,
  };
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

/** an amount, or no word about the situation, is an order; with a situation the policy decides. */
function isOrder({ max_prune_ratio: ratio, situation }: Omit<PruneRequest, "code">): boolean {
  return (ratio !== undefined && ratio !== null) || situation?.ctx === undefined || situation.ctx === null;
}

function toSituation(given: PruneRequest["situation"]): Situation {
  return {
    class: given?.class ?? classOfTool(given?.tool ?? ""),
    contextTokens: given?.ctx ?? undefined,
    repeated: given?.repeated ?? undefined,
  };
}

function toDecision(code: string, given: PruneRequest["situation"], env: NodeJS.ProcessEnv) {
  const situation = toSituation(given);
  const client = clientOf(given?.client ?? "");
  const thing = given?.tool === "Bash" ? "command" : "result";
  return {
    policy: policyFor(situation, env),
    outline: outlineFor(situation.class, code),
    ...(given?.raw_tokens ? { shownTokens: given.raw_tokens } : {}),
    ...(client === undefined ? {} : { clientView: (text: string) => clientView(text, client, thing) }),
  };
}

function classOfTool(tool: string): OutputClass {
  return tool === "Read" ? "read" : tool === "Grep" || tool === "Glob" ? "search" : "other";
}

/**
 * The ratio is a share of the text here, and not of its lines as in prune_text: at the same size that keeps more of what
 * matters. The lines that go are no more than that. A higher threshold keeps less; at its default the engine decides alone.
 */
function toAmount({ max_prune_ratio: ratio, threshold }: Omit<PruneRequest, "code">): Amount {
  if (ratio !== undefined && ratio !== null) return { mode: "share", keep: 1 - ratio, isLeast: true };
  const generosity = threshold > 0 ? DEFAULT_THRESHOLD / threshold : MAX_GENEROSITY;
  return { mode: "auto", generosity: Math.min(MAX_GENEROSITY, Math.max(1 / MAX_GENEROSITY, generosity)) };
}

function toAnswer({ code, ...request }: PruneRequest, result: CutResult) {
  const isCut = result.kind === "cut";
  const tokens = result.rawTokens ?? estimateTokens(code);
  return {
    score: isCut ? SCORES[result.pruned.match] : 0,
    pruned_code: isCut ? result.parts.join("") : code,
    token_scores: [],
    kept_frags: isCut ? linesKept(result.pruned) : allLines(result.lineCount ?? countLines(code)),
    origin_token_cnt: tokens,
    left_token_cnt: isCut ? result.keptTokens : tokens,
    model_input_token_cnt: 0,
    ...(request.situation ? { decision: isCut ? result.way : result.reason } : {}),
    error_msg: isCut ? null : `nothing was pruned: ${toWarning(result.reason)}`,
  };
}

function linesKept({ kept }: Pruned): readonly number[] {
  const lines: number[] = [];
  for (const [index, why] of kept.entries()) if (why !== 0) lines.push(index + 1);
  return lines;
}

function allLines(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
