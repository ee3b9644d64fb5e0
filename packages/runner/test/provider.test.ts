import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { McpServerConfig, ProviderRunOptions } from "../src/provider.ts";
import { providerEventSchema } from "../src/provider.ts";

it("J-92 the union of events is what it was: every kind, every field", () => {
  const union = z.toJSONSchema(providerEventSchema, { io: "output" });
  expect(
    [...JSON.stringify(union).matchAll(/"enum":(\[[^\]]*\])/g)].map(([, values]) => JSON.parse(values ?? "")),
  ).toEqual([
    ["connected", "failed"],
    ["garbage_line", "event_too_large", "agent_warning"],
    ["completed", "failed", "max_turns", "cancelled"],
  ]);
  const fields = (union.oneOf ?? union.anyOf ?? []).map((kind) => {
    const { properties = {}, required = [] } = z.looseObject({}).parse(kind) as {
      properties?: Record<string, { const?: string }>;
      required?: string[];
    };
    return [
      properties.kind?.const,
      Object.keys(properties)
        .filter((name) => name !== "kind")
        .map((name) => (required.includes(name) ? name : `${name}?`)),
    ];
  });
  expect(Object.fromEntries(fields)).toEqual({
    started: ["sessionId?", "model?"],
    server: ["name", "status", "message?"],
    message: ["text"],
    reasoning: ["text"],
    tool_call: ["id", "tool", "input"],
    tool_result: ["id", "tool", "isError", "text", "sizes?"],
    usage: ["usage", "costUsd?"],
    notice: ["code", "message"],
    turn_ended: [],
    ended: ["status", "text", "message?"],
  });
});

it("J-87 a server's record and the place where it is given have the types that were agreed", () => {
  expectTypeOf<McpServerConfig>().toEqualTypeOf<{
    readonly command: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  }>();
  expectTypeOf<ProviderRunOptions["mcpServers"]>().toEqualTypeOf<
    Readonly<Record<string, McpServerConfig>> | undefined
  >();
  // The compiler checks the types; this checks that a record of that type passes through unchanged.
  const server: McpServerConfig = { command: "node" };
  expect(Object.keys(server)).toEqual(["command"]);
});
