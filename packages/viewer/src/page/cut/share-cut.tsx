// Copies or saves a cut as Markdown, without its secrets, to show to others.
import { useState } from "preact/hooks";
import { ApiError, getJson } from "../api.ts";

/** Two buttons, to copy and to save, and a note on the outcome. */
export function ShareCut({ pruneId }: { readonly pruneId: string }) {
  const [said, setSaid] = useState("");
  const share = async (use: (markdown: string) => Promise<string>): Promise<void> => {
    try {
      const query = { id: pruneId };
      const { markdown } = await getJson<{ markdown: string }>("/api/share", query, new AbortController().signal);
      setSaid(await use(markdown));
    } catch (error) {
      setSaid(error instanceof ApiError ? error.message : "The browser did not allow it.");
    }
  };
  return (
    <p class="share-cut">
      <button type="button" class="quiet" onClick={() => share(copy)}>
        Copy as Markdown
      </button>
      <button type="button" class="quiet" onClick={() => share((markdown) => save(markdown, `${pruneId}.md`))}>
        Save
      </button>
      <span role="status">{said}</span>
    </p>
  );
}

async function copy(markdown: string): Promise<string> {
  await navigator.clipboard.writeText(markdown);
  return "Copied; secrets are redacted.";
}

async function save(markdown: string, name: string): Promise<string> {
  const href = URL.createObjectURL(new Blob([markdown], { type: "text/markdown" }));
  const link = document.createElement("a");
  Object.assign(link, { href, download: name });
  link.click();
  URL.revokeObjectURL(href);
  return `Saved as ${name}; secrets are redacted.`;
}
