// What a field of a configuration would accept, in words, read from its schema: for error messages and for --help.
import * as z from "zod";

/** The accepted values in words, such as `an integer from 0 to 65535`. A union lists its branches. */
export function expectedOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return expectedOf(schema.unwrap());
  }
  if (schema instanceof z.ZodCatch || schema instanceof z.ZodPrefault) return expectedOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) {
    // Of a transformed text, the schema behind the transform describes what is accepted.
    return expectedOf(schema.out instanceof z.ZodTransform ? schema.in : schema.out);
  }
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(", ")}`;
  if (schema instanceof z.ZodLiteral) return `one of ${[...schema.values].map(String).join(", ")}`;
  if (schema instanceof z.ZodNumber) return expectedNumber(schema);
  if (schema instanceof z.ZodBoolean) return "1, true, yes or on for yes; anything else for no";
  if (schema instanceof z.ZodArray) return `a list, each ${expectedOf(schema.element)}`;
  if (schema instanceof z.ZodUnion) return schema.options.map(expectedOf).join(", or ");
  if (schema instanceof z.ZodURL) return "a URL";
  if (schema instanceof z.ZodString) return expectedText(schema);
  return "a valid value";
}

function expectedNumber(schema: z.ZodNumber): string {
  const noun = schema.isInt ? "an integer" : "a number";
  const { minValue: min, maxValue: max } = schema;
  // zod gives every integer the bounds of a safe integer, which are of no use to the reader.
  const hasMin = min !== null && Number.isFinite(min) && min !== Number.MIN_SAFE_INTEGER;
  const hasMax = max !== null && Number.isFinite(max) && max !== Number.MAX_SAFE_INTEGER;
  if (hasMin && hasMax) return `${noun} from ${min} to ${max}`;
  if (hasMin) return `${noun}, at least ${min}`;
  if (hasMax) return `${noun}, at most ${max}`;
  return noun;
}

function expectedText(schema: z.ZodString): string {
  if (schema.format === "regex") return wordsOfPattern(schema);
  if (schema.format !== null) return `a valid ${schema.format}`;
  return schema.minLength !== null && schema.minLength > 0 ? "a non-empty text" : "text";
}

/** The message of the pattern, as in `regex(pattern, "one line")`. zod's default message would show the pattern itself. */
function wordsOfPattern(schema: z.ZodString): string {
  const said = schema.safeParse("").error?.issues[0]?.message;
  return said === undefined || said.startsWith("Invalid string") ? "text of another form" : said;
}
