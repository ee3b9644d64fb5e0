// when a pruner at the default address is asked for its health again.

import { afterEach, expect, it, vi } from "vitest";
import { tellsPeers } from "../../../kit/test/http/other-user.ts";
import { createRemotePruner, type RemotePrunerDeps } from "../../src/answer/remote-pruner.ts";
import { type FakePruner, sendJson, startFakePruner } from "../fake-pruner.ts";

let pruner: FakePruner | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await pruner?.close();
});

/** What `isOwnAndUp` uses of them. */
const depsFor = (url: string) => ({ config: { PRUNER_URL: url, PRUNER_TIMEOUT_MS: 1_000 } }) as RemotePrunerDeps;

it.runIf(tellsPeers)(
  "X-03 a pruner that missed its 100 ms once was not asked for a minute: it is asked again soon, and later with each miss",
  async () => {
    let isBusy = true;
    pruner = await startFakePruner((_body, response) => {
      if (!isBusy) sendJson(response, { model_loaded: true });
    });
    const { requests } = pruner;
    let nowMs = 1_000_000;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    const remote = createRemotePruner(depsFor(pruner.url));
    const askAfter = async (ms: number) => {
      nowMs += ms;
      return { isUp: await remote.isOwnAndUp(), asked: requests.length };
    };
    expect(await askAfter(0)).toEqual({ isUp: false, asked: 1 });
    expect(await askAfter(500)).toEqual({ isUp: false, asked: 1 });
    expect(await askAfter(501)).toEqual({ isUp: false, asked: 2 });
    expect(await askAfter(1_500)).toEqual({ isUp: false, asked: 2 });
    isBusy = false;
    // A real machine may be busy, too: then once more.
    await vi.waitFor(async () => expect((await askAfter(60_001)).isUp).toBe(true), { timeout: 20_000 });
    const asked = requests.length;
    expect(await askAfter(59_000)).toEqual({ isUp: true, asked });
  },
);
