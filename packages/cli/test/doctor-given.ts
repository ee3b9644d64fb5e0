// What the tests of jeeves doctor are given: stand-ins for the clients' programs, and the checks that it prints.
import { chmodSync, mkdirSync } from "node:fs";
import type { Check } from "../src/doctor/check.ts";
import { at, jeeves, put } from "./init-given.ts";

export function install(name: string, version: string): void {
  put(`bin/${name}`, `#!/bin/sh\necho "${name} ${version}"\n`);
  chmodSync(at(`bin/${name}`), 0o755);
}

/** The programs of the test come before those of the machine. */
export function doctor(...words: readonly string[]) {
  mkdirSync(at("tmp"), { recursive: true });
  const before = process.env.PATH;
  process.env.PATH = `${at("bin")}:${before}`;
  try {
    const { status, stdout } = jeeves("doctor", "--json", ...words);
    const { checks, fixed = [] }: { checks: (Check & { can_fix?: boolean })[]; fixed?: string[] } = JSON.parse(stdout);
    return { status, fixed, of: (name: string) => checks.find((check) => check.name === name) };
  } finally {
    process.env.PATH = before;
  }
}
