// A small project on disk that has everything research must tell apart: code that calls code, tests, configuration,
// docs, a secret, files that must not be read.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8".slice(0, 36)}`;

export const FILES: Readonly<Record<string, string>> = {
  "README.md":
    "# Ledger\n\nKeeps accounts and sends invoices.\n\n## Retry policy\n\nInvoices are sent again with a backoff.\n",
  "src/ledger/accounts.py":
    'from ledger.store import load_record\n\n\nclass AccountBook:\n    """Opens and closes accounts."""\n\n    def open_account(self, owner):\n        record = load_record(owner)\n        return record\n\n    def close_account(self, owner):\n        raise PermissionError(owner)\n',
  "src/ledger/store.py":
    'import json\n\nDEFAULT_STORE_PATH = "ledger.json"\n\n\ndef load_record(owner):\n    """Reads the stored record of an owner."""\n    with open(DEFAULT_STORE_PATH) as handle:\n        return json.load(handle).get(owner)\n\n\ndef save_record(owner, record):\n    """Writes the stored record of an owner."""\n    return owner, record\n',
  "src/ledger/invoices.py":
    'import time\n\nMAX_ATTEMPTS = 5\n\n\ndef send_invoice(client, invoice):\n    """Sends an invoice, and again with exponential backoff when the client fails."""\n    for attempt in range(MAX_ATTEMPTS):\n        if client.post(invoice):\n            return True\n        time.sleep(2**attempt)\n    return False\n',
  "src/ledger/mailer.py": `API_TOKEN = "${TOKEN}"\n\n\ndef deliver_mail(message):\n    """Delivers a mail message with the api token."""\n    return API_TOKEN, message\n`,
  "src/ledger/__main__.py": "from ledger.accounts import AccountBook\n\nAccountBook().open_account('me')\n",
  "tests/test_invoices.py":
    "from ledger.invoices import send_invoice\n\n\ndef test_send_invoice_retries_with_backoff():\n    assert send_invoice is not None\n",
  "tests/test_accounts.py":
    "from ledger.accounts import AccountBook\n\n\ndef test_open_account_reads_record():\n    assert AccountBook is not None\n",
  "pyproject.toml": '[project]\nname = "ledger"\n\n[tool.ledger]\nmax_attempts = 5\n',
  ".env": "LEDGER_PASSWORD=hunter2hunter2\n",
  ".gitignore": "ignored/\n",
  "ignored/send_invoice_copy.py": "def send_invoice_ignored():\n    return 'send invoice backoff'\n",
};

export interface MadeDir {
  readonly path: string;
  remove(): Promise<void>;
}

export async function makeTempDir(): Promise<MadeDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "jeeves-research-test-")));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function writeFiles(dir: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

export async function makeProject(more: Readonly<Record<string, string>> = {}): Promise<MadeDir> {
  const made = await makeTempDir();
  // .gitignore counts inside a repository only.
  await mkdir(join(made.path, ".git"));
  await writeFiles(made.path, { ...FILES, ...more });
  return made;
}
