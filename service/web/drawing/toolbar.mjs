/** What a player can do besides moving cards, as buttons and as keys. */

import { DEAL } from "../logic/moves.mjs";
import { button, h } from "./dom.mjs";
import { openMenu } from "./menu.mjs";
import { startNewGame } from "./new_game.mjs";

/** @import { Session } from "../logic/session.mjs" */

/**
 * @typedef {object} Action
 * @property {string} name of its symbol
 * @property {string} words
 * @property {string} key
 * @property {(session: Session) => boolean} isPossible now
 * @property {(session: Session) => void} act
 */

/** @type {Action[]} */
const ACTIONS = [
  {
    name: "undo",
    words: "Undo",
    key: "u",
    isPossible: ({ game }) => game.can.undo,
    act: (session) => session.undo(),
  },
  {
    name: "redo",
    words: "Redo",
    key: "r",
    isPossible: ({ game }) => game.can.redo,
    act: (session) => session.redo(),
  },
  {
    name: "hint",
    words: "Hint",
    key: "h",
    isPossible: ({ game }) => game.status === "in_progress",
    act: (session) => session.askHint(),
  },
  {
    name: "deal",
    words: "Deal",
    key: "d",
    isPossible: ({ legalMoves }) => legalMoves.includes(DEAL),
    act: (session) => session.play(DEAL),
  },
  {
    name: "new",
    words: "New",
    key: "n",
    isPossible: () => true,
    act: ({ game }) => void startNewGame(game.variant),
  },
];

/**
 * The actions that a game has: a watcher's has few, and not every variant has a stock.
 * @param {Session} session
 */
function actionsOf({ token, layout }) {
  const hasStock = layout.variant.layout.some(({ kind }) => kind === "stock");
  return ACTIONS.filter(
    ({ name }) => name === "new" || (token !== null && (name !== "deal" || hasStock)),
  );
}

/**
 * The toolbar of a game, and what enables its buttons as the game is now.
 * @param {Session} session
 */
export function toolbarOf(session) {
  const tools = actionsOf(session).map((action) => {
    const { name, words, key, act } = action;
    const title = `${words} (${key.toUpperCase()})`;
    return { action, element: button(name, words, () => act(session), { title }) };
  });
  const more = button("more", "More", () => openMenu(session), { "aria-haspopup": "dialog" });
  const element = h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "Game" },
    ...tools.map((tool) => tool.element),
    more,
  );
  const update = () => {
    for (const tool of tools) tool.element.disabled = !tool.action.isPossible(session);
  };
  return { element, update };
}

/**
 * Lets keys do what the buttons do, until `signal` aborts.
 * @param {Session} session
 * @param {AbortSignal} signal
 */
export function takeShortcuts(session, signal) {
  const listen = (/** @type {KeyboardEvent} */ event) => {
    const { target } = event;
    const isTyping = target instanceof Element && target.closest("input, select, textarea, dialog");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionsOf(session).find(({ key }) => key === event.key.toLowerCase());
    if (action?.isPossible(session)) action.act(session);
  };
  document.addEventListener("keydown", listen, { signal });
}
