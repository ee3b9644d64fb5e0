// About the processes that a run starts.
export { outlivingMark, toOutlivingEnv } from "./outliving.ts";
