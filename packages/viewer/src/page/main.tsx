// The page's entry: its styles, and the app into its place.
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
// The address that was printed after a restart, opened in a tab that is here already.
addEventListener("hashchange", () => {
  if (takeToken()) location.reload();
});
const place = document.getElementById("app");
if (place !== null) render(<App />, place);
