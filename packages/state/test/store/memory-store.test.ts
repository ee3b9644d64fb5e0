import { createMemoryStore } from "../../src/index.ts";
import { describeStoreContract } from "./store-contract.ts";

describeStoreContract("memory", { create: (options) => createMemoryStore(options) });
