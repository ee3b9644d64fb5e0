// One question to an OpenAI-compatible endpoint (LM Studio, llama.cpp, Ollama). Calls queue and time out, and their answers
// are bounded in bytes. No tools are offered to the model.
import { createGate, isRecord, startTimeLimit } from "@jeeves/base";
import { ResearchError } from "../research-error.ts";
import type { Settings } from "../settings.ts";

/** The settings of the model's server. */
export type Provider = NonNullable<Settings["provider"]>;

/** Asks a model. Rejects with `provider_failed`, or with the reason of the signal. */
export interface ChatClient {
  ask(prompt: { readonly system: string; readonly user: string }, signal: AbortSignal): Promise<string>;
}

const MAX_ANSWER_BYTES = 262_144;
const MAX_ANSWER_TOKENS = 400;

/** Whether a URL names this machine by a loopback address or `localhost`; no name is resolved. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * A client that follows no redirects, reads answers up to 256 KiB and asks for at most 400 tokens. Without a configured
 * model it takes the first that the server lists.
 */
export function createChatClient(provider: Provider): ChatClient {
  const base = provider.url.replace(/\/+$/, "");
  const gate = createGate(provider.maxConcurrentCalls);

  return {
    async ask(prompt, signal) {
      const leave = await gate.enter(signal);
      if (leave === undefined) throw signal.reason;
      const limit = startTimeLimit(provider.timeoutMs, signal);
      try {
        const model = provider.model ?? (await firstModel(base, limit.signal));
        const response = await fetch(`${base}/chat/completions`, {
          method: "POST",
          redirect: "error",
          headers: { "content-type": "application/json" },
          signal: limit.signal,
          body: JSON.stringify({
            model,
            temperature: 0,
            max_tokens: MAX_ANSWER_TOKENS,
            messages: [
              { role: "system", content: prompt.system },
              { role: "user", content: prompt.user },
            ],
          }),
        });
        if (!response.ok) throw new ResearchError("provider_failed", `the model's server answered ${response.status}`);
        return answerOf(await readJson(response));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof ResearchError) throw error;
        const why = limit.isOver ? "the model took too long" : "the model's server cannot be reached";
        throw new ResearchError("provider_failed", why, { cause: error });
      } finally {
        limit.end();
        leave();
      }
    },
  };
}

async function firstModel(base: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${base}/models`, { signal, redirect: "error" });
  const list = response.ok ? await readJson(response) : {};
  const id = isRecord(list) && Array.isArray(list.data) && isRecord(list.data[0]) ? list.data[0].id : undefined;
  return typeof id === "string" ? id : "default";
}

async function readJson(response: Response): Promise<unknown> {
  const text = await readBounded(response);
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the answer, so only the cause has it.
    throw new ResearchError("provider_failed", "the model's server sent an answer that is not JSON", { cause: error });
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new ResearchError("provider_failed", "the model's answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function answerOf(body: unknown): string {
  const choice = isRecord(body) && Array.isArray(body.choices) ? body.choices[0] : undefined;
  const message = isRecord(choice) ? choice.message : undefined;
  const content = isRecord(message) ? message.content : undefined;
  if (typeof content !== "string" || content.trim() === "")
    throw new ResearchError("provider_failed", "the model's server gave no answer");
  return content;
}
