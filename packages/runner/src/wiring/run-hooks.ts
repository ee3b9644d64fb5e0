// The hooks of one run: results of the agent's own tools are cut in this process. They act only while the pruner's server
// runs, because the agent asks that server for what was cut. After any failure the agent goes on as if there were no hooks.
import { shownCharsOf, traitsOf } from "@jeeves/base";
import { createCutter, createInProcessEngine, createMeter } from "@jeeves/cut";
import { createInterceptor, parseToolEvent, toHookOutput } from "@jeeves/intercept";
import type { Level } from "@jeeves/kit/events";
import { openRecoveryStore } from "@jeeves/state";
import type { RunHooks, Sizes } from "../provider.ts";
import { messageOf } from "../runner-error.ts";
import { PRUNER } from "./pruner-life.ts";

/** Also the name under which `jeeves init` sets up our server: the user's settings may hold it. */
const OWN_SERVERS = `${PRUNER},jeeves`;
const MAX_REMEMBERED = 1_000;
/** The only client whose hooks call back into the process that drives it. */
const CLIENT = traitsOf("claude-code");

/** The programs that hooks need. The caller names their paths; the runner does not search for them. */
export interface HookParts {
  /** The path of jeeves-exec. */
  readonly execPath: string;
}

interface RunHooksDeps extends HookParts {
  /** The run's environment, its id included. */
  readonly env: NodeJS.ProcessEnv;
  /** The directory that the agent runs in. */
  readonly root: string;
  isServerThere(): Promise<boolean>;
  emit(level: Level, event: string, data?: object): void;
}

/**
 * The hooks that a provider calls. `answer` gives `{}`, which changes nothing, where the pruner does not run or the cut
 * fails; a failure is emitted as `hook.failed`. Sizes of the last 1,000 cuts are kept.
 */
export function createRunHooks({ execPath, env, root, isServerThere, emit }: RunHooksDeps): RunHooks {
  const sizes = new Map<string, Sizes>();
  const store = openRecoveryStore({ env });
  const meter = createMeter(env);
  const interceptor = createInterceptor({
    cutter: createCutter({ engine: createInProcessEngine(), store, meter, env }),
    store,
    meter,
    env,
    root,
    onUnknownShape: (tool) => emit("warn", "hook.unknown_shape", { what: `result of ${tool.slice(0, 100)}` }),
    onCut({ callId, rawBytes, keptBytes }) {
      sizes.set(callId, { rawBytes, keptBytes, recoveredBytes: 0 });
      const oldest = sizes.keys().next();
      if (sizes.size > MAX_REMEMBERED && !oldest.done) sizes.delete(oldest.value);
    },
  });
  return {
    execPath,
    server: PRUNER,
    sizesOf: (callId) => sizes.get(callId),
    async answer(given, { signal }) {
      try {
        const event = parseToolEvent({ ...given, own_server: OWN_SERVERS, exec_path: execPath });
        if (event === undefined || !(await isServerThere())) return {};
        const maxChars = shownCharsOf(CLIENT, "result", env);
        const answer = await interceptor.handle(event, { client: CLIENT.id, maxChars, signal });
        return toHookOutput(answer, event.moment);
      } catch (error) {
        emit("error", "hook.failed", { message: messageOf(error) });
        return {};
      }
    },
  };
}
