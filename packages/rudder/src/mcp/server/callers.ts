// Whose calls come in on a connection: those of the agent whose own socket it is, else of the name that a bridge
// sends before anything is asked, else of the connection itself, under a name that no other connection ever has.
import { randomBytes } from "node:crypto";
import type { Profile } from "@jeeves/kit/mcp";
import { findLiveAgent, isElsewhere, nameTaken, taskOf } from "../../agent/agent-names.ts";
import type { AgentHome } from "../../agent/agent-store.ts";
import type { Caller } from "../../lease/lease.ts";
import { CALLER_NOTIFICATION, callerParams } from "./control.ts";

/** The caller of one connection. */
export interface Named {
  /** Refuses a connection whose name is that of a live agent now. */
  caller(): Caller | Promise<Caller>;
  /** Who it is so far. */
  current(): Caller;
  readonly notifications?: Profile["notifications"];
}

export interface Callers {
  /** fixed: the name of the agent whose socket it is. */
  next(fixed?: string): Named;
}

/** The callers of one server; the names of live agents are refused. */
export function createCallers(home: AgentHome): Callers {
  // Leases outlive us: a restarted server's third connection is not the third one of the server before.
  const run = randomBytes(4).toString("hex");
  let count = 0;
  const requireFree = async (name: string): Promise<Caller> => {
    if ((await findLiveAgent(home, name)) !== undefined) throw nameTaken(name);
    return { kind: "name", name };
  };
  return {
    next(fixed) {
      if (fixed !== undefined) {
        const agent: Caller = { kind: "name", name: fixed };
        return { caller: () => agent, current: () => agent };
      }
      count += 1;
      let caller: Caller = { kind: "connection", name: `connection ${run}-${count}` };
      let hasAsked = false;
      return {
        current: () => caller,
        caller() {
          hasAsked = true;
          // looked at with each call, because an agent may have been started under this name since.
          const { kind, name } = caller;
          if (kind !== "name" || taskOf(name) === undefined) return caller;
          if (isElsewhere(name)) throw nameTaken(name);
          return requireFree(name);
        },
        notifications: {
          [CALLER_NOTIFICATION](params) {
            const parsed = callerParams.safeParse(params);
            if (!parsed.success || hasAsked || caller.kind !== "connection") return;
            caller = { kind: "name", name: parsed.data.name };
          },
        },
      };
    },
  };
}
