// The page's entry: loads the styles and mounts the app.
import "uplot/dist/uPlot.min.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/runs.css";
import "./style/cut.css";
import "./style/savings.css";
import "./style/home.css";
import "./style/try.css";
import "./style/haven.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { takeToken } from "./token.ts";

takeToken();
// After a restart, the newly printed address may be opened in a tab that already shows the page.
addEventListener("hashchange", () => {
  if (takeToken()) location.reload();
});
const place = document.getElementById("app");
if (place !== null) render(<App />, place);
