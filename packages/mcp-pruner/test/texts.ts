// Deterministic texts of a realistic shape: large enough to be worth pruning, with one place that answers a question.

const SUBJECTS = [
  "invoice",
  "customer",
  "shipment",
  "session",
  "ledger",
  "report",
  "coupon",
  "catalog",
  "mailbox",
  "tenant",
];

/** About 12 lines a function; `retryDelay` is the only one about waiting between attempts. */
export function pythonModule(functions = 120): string {
  const parts = ['"""Order handling."""', "import json", "import os", "import random", "", ""];
  for (let index = 0; index < functions; index++) {
    const subject = SUBJECTS[index % SUBJECTS.length];
    if (index === Math.floor(functions / 2)) parts.push(RETRY_DELAY);
    parts.push(
      `def load_${subject}_${index}(path, strict=True):`,
      `    """Load one ${subject} record from its JSON file."""`,
      "    with open(path) as handle:",
      "        data = json.load(handle)",
      `    if strict and "${subject}" not in data:`,
      `        raise KeyError("${subject} ${index} is missing")`,
      `    record = data["${subject}"]`,
      "    record.setdefault('tags', [])",
      `    record['source'] = os.path.basename(path)`,
      "    return record",
      "",
      "",
    );
  }
  return `${parts.join("\n")}\n`;
}

export const RETRY_DELAY = [
  "def retry_delay(attempt, base=0.25, ceiling=30.0):",
  '    """Seconds to wait before the next attempt: exponential backoff with jitter."""',
  "    exponent = min(attempt, 16)",
  "    delay = min(ceiling, base * (2 ** exponent))",
  "    jitter = random.uniform(0, delay / 10)",
  "    return delay + jitter",
  "",
  "",
].join("\n");

export const RETRY_QUESTION =
  "How long does the exponential backoff wait before the next retry attempt, and where is jitter added?";
