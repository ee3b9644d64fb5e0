// The states of a request: the names that others read in events, and the steps between them.
import { describe, expect, it } from "vitest";
import { createRequestPath, REQUEST_STATES } from "../../../src/mcp/call/request-states.ts";

describe("request states", () => {
  it("J-79 there are exactly these, and these end a request", () => {
    const names = Object.keys(REQUEST_STATES).map((state) => state.replace("req:", ""));
    expect(names).toEqual([
      "received",
      "validating",
      "invalid_request",
      "executing_tool",
      "tool_error",
      "raw_output_ready",
      "prune_check",
      "calling_pruner",
      "pruner_error_fallback",
      "respond_raw",
      "respond_pruned",
      "responded",
      "internal_error",
    ]);
    const terminal = Object.entries(REQUEST_STATES).filter(([, next]) => next.length === 0);
    expect(terminal.map(([state]) => state)).toEqual([
      "req:invalid_request",
      "req:tool_error",
      "req:responded",
      "req:internal_error",
    ]);
  });

  it("J-79 every state that does not end a request may become an internal error", () => {
    const stuck = Object.entries(REQUEST_STATES).filter(
      ([, next]) => next.length > 0 && !next.includes("req:internal_error"),
    );
    expect(stuck).toEqual([]);
  });

  it("J-79 a wrong step throws and changes nothing", () => {
    const path = createRequestPath();
    expect(() => path.advance("req:responded")).toThrow("from req:received to req:responded");
    expect(path.states).toEqual(["req:received"]);
  });

  it("J-79 the short way is walked step by step; there is none out of an end", () => {
    const path = createRequestPath();
    path.advanceTo("req:executing_tool");
    path.advanceTo("req:respond_raw");
    expect(path.states.slice(3)).toEqual(["req:raw_output_ready", "req:prune_check", "req:respond_raw"]);
    expect(path.ended).toBe(false);
    path.advance("req:responded");
    expect(path.ended).toBe(true);
    expect(() => path.advanceTo("req:internal_error")).toThrow("from req:responded");
  });

  it("J-79 a fallback answers raw, never pruned", () => {
    const path = createRequestPath();
    path.advanceTo("req:pruner_error_fallback");
    expect(() => path.advanceTo("req:respond_pruned")).toThrow();
  });
});
