// Replaces the SDK's platform module in our bundles (scripts/bundle/alias.mjs). The SDK's own imports a JSON Schema
// validator, which is a third of its code and is needed only to request input from clients, which we never do.
import process from "node:process";
import type { jsonSchemaValidator } from "@modelcontextprotocol/server";

/** Refuses every schema. */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  getValidator(): never {
    throw new Error("this server validates no JSON Schema");
  }
}

export { process };
