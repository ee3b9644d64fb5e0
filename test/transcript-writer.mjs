// Transcripts as the clients write them, for tests: each step becomes the records that a call of the model leaves behind.
// The shapes are those of Claude Code 2.1 and Codex 0.166.

const clean = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** @returns {string} JSON lines */
export function claudeTranscript({ session, dir = "/p", model = "claude-sonnet-4-5", steps, sidechain, agent }) {
  const lines = [];
  let calls = 0;
  const write = (at, record) => {
    lines.push(
      JSON.stringify({
        parentUuid: null,
        isSidechain: sidechain ?? false,
        ...(agent === undefined ? {} : { agentId: agent }),
        userType: "external",
        cwd: dir,
        sessionId: session,
        version: "2.1.325",
        timestamp: at,
        ...record,
      }),
    );
  };
  for (const step of steps) {
    const { at } = step;
    if (step.raw !== undefined) lines.push(step.raw);
    if (step.prompt !== undefined) write(at, { type: "user", message: { role: "user", content: step.prompt } });
    if (step.compacted) {
      write(at, { type: "system", subtype: "compact_boundary", content: "Conversation compacted" });
      write(at, { type: "user", isCompactSummary: true, message: { role: "user", content: "What was done so far" } });
    }
    if (step.usage === undefined) continue;
    const { cached, written, hour, plain = 0, output = 0 } = step.usage;
    const usage = clean({
      input_tokens: plain,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
      cache_creation:
        hour === undefined
          ? undefined
          : { ephemeral_5m_input_tokens: (written ?? 0) - hour, ephemeral_1h_input_tokens: hour },
      output_tokens: output,
    });
    const id = step.id ?? `msg_${session}_${agent ?? ""}${++calls}`;
    const say = (block, output_tokens) =>
      write(at, {
        type: "assistant",
        message: {
          id,
          type: "message",
          role: "assistant",
          model,
          content: [block],
          usage: { ...usage, output_tokens },
        },
      });
    // A record for each block, the usage in all of them; only the last has the whole output.
    say({ type: "thinking", thinking: "Let me look." }, Math.min(1, output));
    const tools = step.tools ?? [];
    if (tools.length === 0) say({ type: "text", text: "Done." }, output);
    for (const [n, { tool, input = {} }] of tools.entries())
      say({ type: "tool_use", id: `toolu_${id}_${n}`, name: tool, input }, output);
    for (const [n, { text, isError = false, at: resultAt = at }] of tools.entries())
      write(resultAt, {
        type: "user",
        message: {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: `toolu_${id}_${n}`,
              content: text,
              ...(isError ? { is_error: true } : {}),
            },
          ],
        },
        toolUseResult: { stdout: text },
      });
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** @returns {string} JSON lines */
export function codexTranscript({ session, dir = "/p", model = "gpt-5.5", steps }) {
  const lines = [];
  let total = 0;
  let calls = 0;
  const write = (timestamp, type, payload) => lines.push(JSON.stringify({ timestamp, type, payload }));
  write(steps[0]?.at, "session_meta", { id: session, timestamp: steps[0]?.at, cwd: dir, cli_version: "0.166.0" });
  write(steps[0]?.at, "turn_context", { cwd: dir, model, approval_policy: "never" });
  for (const step of steps) {
    const { at } = step;
    if (step.raw !== undefined) lines.push(step.raw);
    if (step.prompt !== undefined)
      write(at, "response_item", {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: step.prompt }],
      });
    if (step.compacted) write(at, "compacted", { message: "What was done so far" });
    if (step.usage === undefined) continue;
    const { cached, plain = 0, output = 0 } = step.usage;
    const id = `call_${session}_${++calls}`;
    const tools = step.tools ?? [];
    for (const [n, { tool, input = {} }] of tools.entries())
      write(at, "response_item", {
        type: "function_call",
        name: tool,
        arguments: JSON.stringify(input),
        call_id: `${id}_${n}`,
      });
    // Outputs stand before the count of the call that asked for them.
    for (const [n, { text, isError = false, at: resultAt = at }] of tools.entries())
      write(resultAt, "response_item", {
        type: "function_call_output",
        call_id: `${id}_${n}`,
        output: `Exit code: ${isError ? 1 : 0}\nWall time: 0.1 seconds\nOutput:\n${text}`,
      });
    const input_tokens = (cached ?? 0) + plain;
    total += input_tokens + output;
    const last = clean({ input_tokens, cached_input_tokens: cached, output_tokens: output });
    // Written twice, as Codex does when it reports the limits of the plan as well.
    for (let k = 0; k < 2; k++)
      write(at, "event_msg", {
        type: "token_count",
        info: { total_token_usage: { total_tokens: total }, last_token_usage: last },
      });
  }
  return lines.map((line) => `${line}\n`).join("");
}
