// A run in the simple form as a transcript of Claude Code, so that everything behind it is the same: each step is a call of
// the model that runs one command. Nothing is recorded about its bill, so every call reads all that was there from the
// cache and writes what is new.

/** @returns {{ name: string, lines: string[], ranges: Map<string, object[]> }} ranges by the id of the tool call */
export function toTranscript({ name, prompt, steps }, estimateTokens) {
  const lines = [JSON.stringify({ type: "user", message: { role: "user", content: prompt } })];
  const ranges = new Map();
  let cached = 0;
  let fresh = estimateTokens(prompt);
  for (const [index, { thought, command, output, exitCode, ranges: declared }] of steps.entries()) {
    const id = `step-${index}`;
    const wrote = estimateTokens(`${thought}\n${command}`);
    const content = [
      { type: "text", text: thought },
      { type: "tool_use", id, name: "Bash", input: { command } },
    ];
    const usage = { cache_read_input_tokens: cached, cache_creation_input_tokens: fresh, output_tokens: wrote };
    const message = { role: "assistant", id, model: "claude", content, usage };
    const result = { type: "tool_result", tool_use_id: id, content: output, is_error: exitCode !== 0 };
    lines.push(JSON.stringify({ type: "assistant", message }));
    lines.push(JSON.stringify({ type: "user", message: { role: "user", content: [result] } }));
    ranges.set(id, declared);
    cached += fresh;
    fresh = wrote + estimateTokens(output);
  }
  return { name, lines, ranges };
}
