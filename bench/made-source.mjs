// A TypeScript file made from a few word lists, the same on every machine: many small functions about unlike things,
// and one that answers the question.

export const FOCUS = "How long does a failed delivery wait before it is tried again, and what is the upper limit?";
export const ANSWER = "return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);";

const NOUNS = ["invoice", "parcel", "tenant", "ledger", "voucher", "shelf", "driver", "refund", "ticket", "album"];
const VERBS = [
  "load",
  "rename",
  "archive",
  "merge",
  "split",
  "publish",
  "hide",
  "sort",
  "count",
  "copy",
  "sign",
  "print",
];
const FIELDS = ["title", "owner", "colour", "weight", "country", "language", "price", "height", "author", "street"];

/** `functionCount` functions of 10 lines each, and the answer in the middle. */
export function makeSource({ functionCount }) {
  const parts = ['import { db } from "./db.ts";\nimport { log } from "./log.ts";\n'];
  for (let index = 0; index < functionCount; index++) {
    if (index === functionCount >> 1) parts.push(answerPart());
    parts.push(functionPart(index));
  }
  return parts.join("\n");
}

function functionPart(index) {
  const pick = (words, step) => words[Math.floor(index / step) % words.length];
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const noun = pick(NOUNS, 1);
  const verb = VERBS[(index * 7 + Math.floor(index / NOUNS.length)) % VERBS.length];
  const field = pick(FIELDS, 3);
  const other = FIELDS[(index * 3 + 1) % FIELDS.length];
  const name = `${verb}${capital(noun)}By${capital(field)}${index}`;
  return `/** ${capital(verb)}s the ${noun} whose ${field} was given, together with its ${other}. */
export async function ${name}(${field}: string): Promise<number> {
  const rows = await db.table("${noun}s").where("${field}", ${field});
  if (rows.length === 0) {
    log.info("no ${noun} with this ${field}", { ${field} });
    return 0;
  }
  const ${other}s = rows.map((row) => row.${other});
  return ${other}s.length + ${index};
}
`;
}

function answerPart() {
  return `const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 60_000;

/** The wait before a failed delivery is tried again: doubled each time, up to a minute. */
export function retryDelayMs(attempt: number): number {
  ${ANSWER}
}
`;
}
