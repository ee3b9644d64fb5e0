import { join } from "node:path";
import { startFakeOpenAi } from "./fake-openai.ts";
import { CLIENTS_BIN, offlineCodex } from "./offline-settings.ts";
import { describeRunner } from "./runner-suite.ts";

describeRunner({
  provider: "codex",
  findTools: () => [],
  startModel: startFakeOpenAi,
  prepare: async (home, origin) => ({
    ...(await offlineCodex(join(home, ".codex"), origin)),
    PATH: `${CLIENTS_BIN}:${process.env.PATH}`,
  }),
});
