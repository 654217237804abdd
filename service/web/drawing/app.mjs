/** The page: shows the view that the URL names. */

import { parseRoute } from "../logic/routes.mjs";
import { drawFaces } from "./faces.mjs";
import { applyScheme } from "./frame.mjs";
import { GameView } from "./game_view.mjs";
import { GamesView } from "./games_view.mjs";
import { HomeView } from "./home_view.mjs";
import { ReplayView } from "./replay_view.mjs";
import { ResultsView } from "./results_view.mjs";
import { RulesView } from "./rules_view.mjs";

/** @param {import("../logic/routes.mjs").Route} route */
function viewOf(route) {
  if (route.view === "game") return new GameView(route.id);
  if (route.view === "replay") return new ReplayView(route.id, route.ply);
  if (route.view === "rules") return new RulesView(route.variant);
  if (route.view === "games") return new GamesView();
  return route.view === "results" ? new ResultsView() : new HomeView();
}

function show() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  document.getElementById("app")?.replaceChildren(viewOf(parseRoute(location.hash)));
}

applyScheme();
drawFaces(/** @type {Element} */ (document.getElementById("symbols")));
addEventListener("hashchange", () => {
  show();
  document.querySelector("h1")?.focus(); // where a screen reader goes on
});
show();
