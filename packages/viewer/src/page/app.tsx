// The frame around the views, with the navigation.
import { useEffect, useState } from "preact/hooks";
import { CutView } from "./cut/cut-view.tsx";
import { HavenPage } from "./haven/haven-page.tsx";
import { HomePage } from "./home/home-page.tsx";
import { go, type Route, toHash, useRoute, VIEWS, type ViewName } from "./router.ts";
import { RunsPage } from "./runs/runs-page.tsx";
import { SavingsPage } from "./savings/savings-page.tsx";
import { HelpDialog } from "./shell/help-dialog.tsx";
import { Mark, ViewIcon } from "./shell/icons.tsx";
import { TryPage } from "./try/try-page.tsx";
import { useKeys } from "./use-keys.ts";

const NAMES: Readonly<Record<ViewName, string>> = {
  home: "Overview",
  runs: "Runs",
  savings: "Savings",
  try: "Try it",
  haven: "Tasks",
};

/** The whole page: navigation, the view that the address names, the keys that work everywhere, and the help dialog. */
export function App() {
  const route = useRoute();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [theme, setTheme] = useState<"" | "light" | "dark">("");
  const current: ViewName = route.view === "cut" ? "runs" : route.view;

  useEffect(() => {
    if (theme === "") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.title = `${route.view === "cut" ? "A call" : NAMES[current]} · Jeeves`;
  }, [route.view, current]);

  const toggleTheme = () => setTheme(isDark(theme) ? "light" : "dark");
  useKeys({
    "?": () => setHelpOpen(true),
    t: toggleTheme,
    ...Object.fromEntries(VIEWS.map((view, i) => [String(i + 1), () => go({ view } as Route)])),
  });

  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header class="rail">
        <a class="brand" href="#/home" aria-label="Jeeves, overview">
          <Mark />
          <span>Jeeves</span>
        </a>
        <nav aria-label="Views">
          {VIEWS.map((view, i) => (
            <a
              key={view}
              href={toHash({ view } as Route)}
              class="nav-item"
              aria-current={view === current ? "page" : undefined}
              title={`${NAMES[view]} (${i + 1})`}
            >
              <ViewIcon view={view} />
              <span>{NAMES[view]}</span>
              <kbd>{i + 1}</kbd>
            </a>
          ))}
        </nav>
        <div class="rail-foot">
          <span class="live-state" role="status">
            <span class="dot" aria-hidden="true" />
            <span class="live-on">live</span>
            <span class="live-off">not connected</span>
          </span>
          <button type="button" class="quiet" onClick={toggleTheme} title="Light or dark (t)">
            Theme
          </button>
          <button type="button" class="quiet" onClick={() => setHelpOpen(true)} title="Keys (?)">
            Keys
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <View route={route} />
      </main>
      <HelpDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

function View({ route }: { readonly route: Route }) {
  switch (route.view) {
    case "home":
      return <HomePage />;
    case "cut":
      return <CutView key={route.pruneId} pruneId={route.pruneId} run={route.run} />;
    case "savings":
      return <SavingsPage />;
    case "try":
      return <TryPage />;
    case "haven":
      return <HavenPage />;
    default:
      return <RunsPage run={route.run} />;
  }
}

function isDark(theme: string): boolean {
  return theme === "" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}
