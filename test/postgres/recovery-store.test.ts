// The recovery store in PostgreSQL: the contract of every recovery store.
import { createPostgresRecoveryStore } from "../../packages/state/src/index.ts";
import { describeStoreContract } from "../../packages/state/test/store/store-contract.ts";
import { freshUrl, openForTest } from "./database-under-test.ts";

describeStoreContract("PostgreSQL", {
  create: async (options) => createPostgresRecoveryStore({ ...options, database: openForTest(await freshUrl()) }),
});
