import { expect, it } from "vitest";
import { drainProvider } from "../src/drain-provider.ts";
import type { AgentProvider, ProviderEvent } from "../src/provider.ts";

it("J-81 a reader of events that failed left the agent without its end: the provider's clean-up runs", async () => {
  let hasEnded = false;
  const provider = {
    async *run(): AsyncGenerator<ProviderEvent> {
      try {
        yield { kind: "message", text: "one" } as ProviderEvent;
        yield { kind: "message", text: "two" } as ProviderEvent;
      } finally {
        hasEnded = true;
      }
    },
  } as unknown as AgentProvider;
  const { signal } = new AbortController();
  const options = { signal } as Parameters<AgentProvider["run"]>[1];
  const onEvent = async (): Promise<void> => {
    throw new Error("the log is full");
  };
  const end = await drainProvider(provider, { prompt: "task", options, onEvent });
  expect(end).toMatchObject({ status: "failed", message: "the log is full" });
  expect(hasEnded).toBe(true);
});
