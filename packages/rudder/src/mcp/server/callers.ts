// Who a connection speaks for: the agent whose own socket it came in on, else the name that a bridge tells before
// anything is asked, else the connection itself, under a name that no other connection ever has.
import { randomBytes } from "node:crypto";
import type { Profile } from "@jeeves/kit/mcp";
import type { Caller } from "../../lease/lease.ts";
import { CALLER_NOTIFICATION, callerParams } from "./control.ts";

export interface Named {
  caller(): Caller;
  readonly notifications?: Profile["notifications"];
}

export interface Callers {
  /** fixed: the name of the agent whose socket it is. */
  next(fixed?: string): Named;
}

export function createCallers(): Callers {
  // Leases outlive us: a restarted server's third connection is not the third one of the server before.
  const run = randomBytes(4).toString("hex");
  let count = 0;
  return {
    next(fixed) {
      if (fixed !== undefined) return { caller: () => ({ kind: "name", name: fixed }) };
      count += 1;
      let caller: Caller = { kind: "connection", name: `connection ${run}-${count}` };
      let hasAsked = false;
      return {
        caller() {
          hasAsked = true;
          return caller;
        },
        notifications: {
          [CALLER_NOTIFICATION](params) {
            const parsed = callerParams.safeParse(params);
            if (parsed.success && !hasAsked && caller.kind === "connection") {
              caller = { kind: "name", name: parsed.data.name };
            }
          },
        },
      };
    },
  };
}
