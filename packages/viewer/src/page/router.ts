// Where the reader is, in the address's fragment: views can be bookmarked, and the browser's own "back" works.
import { useEffect, useState } from "preact/hooks";

export const VIEWS = ["home", "runs", "savings", "try", "haven"] as const;
export type ViewName = (typeof VIEWS)[number];

export type Route =
  | { readonly view: "runs"; readonly run?: string }
  | { readonly view: "cut"; readonly pruneId: string; readonly run?: string }
  | { readonly view: Exclude<ViewName, "runs"> };

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, id] = path.split("/").map(decode);
  const run = new URLSearchParams(query).get("run") ?? undefined;
  if (view === "cut" && id) return { view, pruneId: id, ...(run === undefined ? {} : { run }) };
  if (view === "savings" || view === "try") return { view };
  // What the page called it before.
  if (view === "tasks" || view === "haven") return { view: "haven" };
  if (view === "runs") return { view, ...(id ? { run: id } : {}) };
  return { view: "home" };
}

export function toHash(route: Route): string {
  switch (route.view) {
    case "runs":
      return route.run === undefined ? "#/runs" : `#/runs/${encodeURIComponent(route.run)}`;
    case "cut": {
      const from = route.run === undefined ? "" : `?run=${encodeURIComponent(route.run)}`;
      return `#/cut/${encodeURIComponent(route.pruneId)}${from}`;
    }
    case "haven":
      return "#/tasks";
    default:
      return `#/${route.view}`;
  }
}

export function go(route: Route): void {
  location.hash = toHash(route);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onChange = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return route;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
