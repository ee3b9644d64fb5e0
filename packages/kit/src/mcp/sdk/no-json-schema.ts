// Takes the place of the SDK's platform module in our bundles (scripts/bundle/alias.mjs). The SDK's own brings a validator
// of JSON Schema, which is a third of its code and is needed only to ask clients for input. We never do.
import process from "node:process";
import type { jsonSchemaValidator } from "@modelcontextprotocol/server";

/** Refuses every schema. */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  getValidator(): never {
    throw new Error("this server validates no JSON Schema");
  }
}

export { process };
