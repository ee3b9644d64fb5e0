// The entry of the package for configuration.
export { parseBooleanEnv } from "./boolean-env.ts";
export { countField, portField } from "./count-field.ts";
export { toConfigHelp } from "./help.ts";
export {
  type ConfigFlags,
  type ConfigInput,
  type ConfigIssue,
  type ConfigResult,
  parseConfig,
  parseConfigLeniently,
  toConfigMessage,
} from "./parse-config.ts";
export { usageFor } from "./usage.ts";
