// Whether a media query holds, and again when it changes.
import { useEffect, useState } from "preact/hooks";

/** Whether the media query matches now; the component renders again when that changes. */
export function useMedia(query: string): boolean {
  const [isTrue, setTrue] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const onChange = () => setTrue(media.matches);
    onChange();
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, [query]);
  return isTrue;
}
