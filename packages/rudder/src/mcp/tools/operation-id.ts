// The operation id of a call: `_meta["jeeves/operation"]`. A client that lost its connection sends the call again under
// the same id, and gets the outcome of the first one.
import { createHash } from "node:crypto";
import type { ToolCall } from "@jeeves/kit/mcp";
import type { Operation } from "../../haven/store.ts";
import { RudderError } from "../../rudder-error.ts";

const FIELD = "jeeves/operation";
const FORM = /^[A-Za-z0-9_.:-]{1,128}$/;

/** undefined where the call carries none; refuses one in another form. */
export function operationOf(
  { meta }: Pick<ToolCall, "meta">,
  tool: { readonly name: string; readonly args: unknown },
): Operation | undefined {
  const id = meta[FIELD];
  if (id === undefined) return undefined;
  if (typeof id === "string" && FORM.test(id)) {
    return {
      id,
      call: createHash("sha256")
        .update(JSON.stringify([tool.name, tool.args]))
        .digest("hex")
        .slice(0, 16),
    };
  }
  throw new RudderError("invalid_argument", `Invalid _meta["${FIELD}"]: ${JSON.stringify(id).slice(0, 200)}`, {
    hint: "1 to 128 characters of A-Z a-z 0-9 _ . : -",
  });
}
