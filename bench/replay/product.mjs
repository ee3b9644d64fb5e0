// What the replay needs of the product, in one bundle.
export { createInProcessEngine, estimateTokens } from "@jeeves/cut";
export { createDoors, createTally, openReplay } from "@jeeves/intercept/replay";
