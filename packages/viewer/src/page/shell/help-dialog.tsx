// The list of keys.
import { useEffect, useRef } from "preact/hooks";

const KEYS: readonly (readonly [string, string])[] = [
  ["1 2 3 4 5", "overview, runs, savings, try it, tasks"],
  ["j k", "next, previous (arrows too)"],
  ["Enter", "open what is selected; unfold a block"],
  ["Esc", "back, close, leave a field"],
  ["/", "search"],
  ["e", "in a run: every event, or turns and calls"],
  ["n p", "in a call: next, previous block"],
  ["o", "in a call: unfold or fold all blocks"],
  ["t", "light or dark"],
  ["?", "this list"],
];

/** A modal dialog; `onClose` is called for its button and for Escape. */
export function HelpDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}
