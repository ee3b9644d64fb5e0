// Keys for the view that is on the screen. Typing into a field is left alone, save for Escape, which leaves it.
import { useEffect } from "preact/hooks";
import { useLatest } from "./use-data.ts";

/** By `KeyboardEvent.key`; a handler that returns false has not taken the key. */
type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

const MOVES = /^(?:[jknp]|Arrow(?:Up|Down)|Page(?:Up|Down)|Home|End)$/;

export function useKeys(keys: KeyMap): void {
  const onKey = useLatest((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof HTMLElement) {
      // One that has just closed keeps the focus until the next frame.
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
    // What was clicked before must not take the Enter that is meant for what was moved to.
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
