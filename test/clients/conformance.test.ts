// The real clients with hooks, set up by `jeeves init` alone, in the one suite.
import { CLIENTS } from "./conformance-rows.ts";
import { describeClient } from "./conformance-suite.ts";

for (const client of CLIENTS) describeClient(client);
