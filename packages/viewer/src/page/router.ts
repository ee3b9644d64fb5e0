// The present view is in the address's fragment, so that views can be bookmarked and the browser's "back" works.
import { useEffect, useState } from "preact/hooks";

/** The views in the navigation, in the order of their keys 1 to 5. */
export const VIEWS = ["home", "runs", "savings", "try", "haven"] as const;
/** A view that the navigation names; a single cut is reached from a run only. */
export type ViewName = (typeof VIEWS)[number];

/** A view with its parameters. `run` of a cut is the run to go back to. */
export type Route =
  | { readonly view: "runs"; readonly run?: string }
  | { readonly view: "cut"; readonly pruneId: string; readonly run?: string }
  | { readonly view: Exclude<ViewName, "runs"> };

/** The route of `location.hash`. Anything unknown is the home view. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, id] = path.split("/").map(decode);
  const run = new URLSearchParams(query).get("run") ?? undefined;
  if (view === "cut" && id) return { view, pruneId: id, ...(run === undefined ? {} : { run }) };
  if (view === "savings" || view === "try") return { view };
  // `#/haven` is the view's former address.
  if (view === "tasks" || view === "haven") return { view: "haven" };
  if (view === "runs") return { view, ...(id ? { run: id } : {}) };
  return { view: "home" };
}

/** The inverse of parseRoute. */
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

/** Changes the address; every useRoute follows, and the browser's history gets an entry. */
export function go(route: Route): void {
  location.hash = toHash(route);
}

/** The present route; the component renders again when it changes. */
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
