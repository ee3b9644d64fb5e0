// The form of a recorded run, read line by line: {run, prompt} opens a run, {thought, command, output} is a step of it.
// What is not in the form is named with its file and line, and ends the reading: a figure over half a file is worse
// than none.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/**
 * @typedef {{ path: string, first: number, last: number }} Range
 * @typedef {{ thought: string, command: string, output: string, exitCode: number, ranges: Range[] }} Step
 * @typedef {{ name: string, prompt: string, steps: Step[] }} Run
 */

/** @returns {AsyncGenerator<Run>} */
export async function* readRuns(file) {
  let run;
  let number = 0;
  const refuse = (why) => new Error(`${file}:${number}: ${why}`);
  const lines = createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    number++;
    if (line.trim() === "") continue;
    const value = parse(line);
    if (value === undefined) throw refuse("not a JSON object");
    if (value.run !== undefined) {
      if (typeof value.run !== "string") throw refuse("run is not a string");
      if (run !== undefined) yield run;
      run = { name: value.run, prompt: textOf(value.prompt), steps: [] };
      continue;
    }
    const missing = ["thought", "command", "output"].find((field) => typeof value[field] !== "string");
    if (missing !== undefined) throw refuse(`${missing} is missing or not a string`);
    run ??= { name: file, prompt: "", steps: [] };
    run.steps.push({
      thought: value.thought,
      command: value.command,
      output: value.output,
      exitCode: Number.isInteger(value.exit_code) ? value.exit_code : 0,
      ranges: Array.isArray(value.ranges) ? value.ranges.filter(isRange) : [],
    });
  }
  if (run !== undefined) yield run;
}

function parse(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value) {
  return typeof value === "string" ? value : "";
}

function isRange(range) {
  return typeof range?.path === "string" && Number.isInteger(range.first) && Number.isInteger(range.last);
}
