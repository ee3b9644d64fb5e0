// secretlint's recommended rules, without its runner: that one is asynchronous, takes quadratic time in
// the number of findings, and obeys "disable" comments in the text, which here must have no effect.

import type { Range } from "./ranges.ts";

interface RuleSource {
  readonly content: string;
  readonly contentType: "text";
  readonly filePath: string;
  readonly ext: string;
  readonly hasBOM: boolean;
  getFilePath(): string;
  getPhysicalFilePath(): undefined;
}

interface RuleContext {
  readonly sharedOptions: object;
  createTranslator(): () => { readonly message: string; readonly messageId: string };
  report(finding: { readonly range: readonly [number, number] }): void;
  ignore(): void;
}

interface Rule {
  create(context: RuleContext, options: object): { file?(source: RuleSource): unknown };
}

interface Preset {
  create(context: { readonly sharedOptions: object; registerRule(rule: Rule): void }, options: object): unknown;
}

/** Loads the rules, which takes a while. The function returns ranges in no order, which may overlap. */
export async function loadSecretlint(): Promise<(text: string) => Range[]> {
  const { creator } = await import("@secretlint/secretlint-rule-preset-recommend");
  let found: Range[] = [];
  const context: RuleContext = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: "", messageId: "" }),
    report: ({ range: [start, end] }) => found.push({ start, end }),
    ignore: () => {},
  };
  const rules: { file?(source: RuleSource): unknown }[] = [];
  const preset = creator as unknown as Preset; // its own types describe its runner, which is not used
  preset.create({ sharedOptions: {}, registerRule: (rule) => rules.push(rule.create(context, {})) }, {});
  return (text) => {
    found = [];
    const source = toSource(text);
    for (const rule of rules) rule.file?.(source);
    return found;
  };
}

function toSource(content: string): RuleSource {
  return {
    content,
    contentType: "text",
    filePath: "text.txt",
    ext: ".txt",
    hasBOM: false,
    getFilePath: () => "text.txt",
    getPhysicalFilePath: () => undefined, // undefined, so that the rule for key files opens no file
  };
}
