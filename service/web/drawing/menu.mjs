/** The menu of a game: where else one can go, and which keys there are. */

import { gameUrl, replayUrl, rulesUrl } from "../logic/routes.mjs";
import { ask, openDialog, share } from "./dialogs.mjs";
import { button, h } from "./dom.mjs";
import { schemeButton } from "./frame.mjs";

/** @import { Session } from "../logic/session.mjs" */

const KEYS = [
  ["U", "undo"],
  ["R", "redo"],
  ["H", "hint"],
  ["D", "deal"],
  ["N", "new"],
  ["Arrows", "walk"],
  ["Enter", "pick up, put down"],
  ["+ −", "more, fewer cards"],
  ["Shift Enter", "obvious move"],
];

/** @param {Session} session */
async function resign(session) {
  const detail = "It ends for good. A sealed deal can be verified then.";
  if (await ask("Resign this game?", detail, "Resign")) session.resign();
}

/**
 * Opens the menu of a game.
 * @param {Session} session
 */
export function openMenu(session) {
  const { game, token, layout } = session;
  const { title } = layout.variant;
  const go = (/** @type {string} */ fragment) => () => void (location.hash = fragment);
  const live = new URL(gameUrl(game.id), location.href).href;
  /** @type {[string, string, () => unknown][]} */
  const entries = [
    ["rules", "Rules", go(rulesUrl(game.variant))],
    ["share", "Share for watching", () => share(`${title}, live`, live)],
    ["replay", "Replay", go(replayUrl(game.id))],
    ["games", "My games", go("#/games")],
    ["results", "Results and figures", go("#/results")],
  ];
  if (token && game.status === "in_progress") {
    entries.push(["resign", "Resign", () => resign(session)]);
  }
  const items = entries.map(([name, words, act]) =>
    h(
      "li",
      {},
      button(name, words, () => (dialog.close(), void act())),
    ),
  );
  const keys = KEYS.flatMap(([key = "", words]) => [h("kbd", {}, key), ` ${words} `]);
  const { dialog } = openDialog(
    title,
    h("ul", { class: "menu" }, ...items, h("li", {}, schemeButton())),
    h("p", { class: "keys" }, ...keys),
  );
}
