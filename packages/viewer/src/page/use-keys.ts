// Keyboard shortcuts of the present view. In a field only Escape is handled: it leaves the field.
import { useEffect } from "preact/hooks";
import { useLatest } from "./use-data.ts";

/** Handlers by `KeyboardEvent.key`. One that returns false has not handled the key: the browser's default goes on. */
type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

const MOVES = /^(?:[jknp]|Arrow(?:Up|Down)|Page(?:Up|Down)|Home|End)$/;

/** Binds keys while the component is mounted. Keys with Ctrl, Alt or Meta, or in an open dialog, are not handled. */
export function useKeys(keys: KeyMap): void {
  const onKey = useLatest((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof HTMLElement) {
      // Only an open one: a dialog that has just closed keeps the focus until the next frame.
      if (target.closest("dialog[open]") !== null) return;
      if (isField(target)) {
        if (event.key === "Escape") target.blur();
        return;
      }
      // A button or a link takes its own Enter.
      if (event.key === "Enter" && target.closest("button, a, summary") !== null) return;
    }
    const handler = keys[event.key];
    if (handler === undefined || handler(event) === false) return;
    event.preventDefault();
    // A focused button would take the Enter that is meant for the row just moved to.
    if (MOVES.test(event.key) && target instanceof HTMLElement && target.closest("button, a, summary") !== null)
      target.blur();
  });
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [onKey]);
}

function isField(target: HTMLElement): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
