/** What is offered when a game is over: the next game, the replay, the proof of the deal. */

import { Problem } from "../logic/client.mjs";
import { capitalized, countInWords } from "../logic/layout.mjs";
import { replayUrl } from "../logic/routes.mjs";
import { secondsOf } from "../logic/statistics.mjs";
import { dealInWords, timeInWords } from "../logic/words.mjs";
import { openDialog, share } from "./dialogs.mjs";
import { h, icon } from "./dom.mjs";
import { startNewGame } from "./new_game.mjs";
import { client, patiently } from "./services.mjs";

/** @import { Game } from "../types.d.ts" */

/**
 * The URL of the page that verifies a revealed deal, filled in; null while it is secret.
 * @param {string} id
 */
async function verifyUrl(id) {
  try {
    const reveal = await patiently(() => client.reveal(id));
    return `/verify-deal#${encodeURIComponent(JSON.stringify(reveal))}`;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/**
 * Shows the end of a game.
 * @param {Game} game
 */
export function showEnd(game) {
  const { moves, undos, hints } = game.counters;
  const help = [
    undos ? countInWords(undos, "undo") : "",
    hints ? countInWords(hints, "hint") : "",
  ].filter(Boolean);
  const facts = [
    countInWords(moves, "move"),
    timeInWords(secondsOf(game)),
    ...(help.length > 0 ? help : ["no undo, no hint"]),
  ];
  const verify = h(
    "a",
    { class: "button", target: "_blank", rel: "noopener", hidden: true },
    "Verify this deal",
  );
  void verifyUrl(game.id).then((url) => {
    if (!url) return;
    verify.href = url;
    verify.hidden = false;
  });
  const replay = new URL(replayUrl(game.id), location.href).href;
  const again = h(
    "button",
    {
      type: "button",
      class: "primary",
      on: { click: () => (dialog.close(), startNewGame(game.variant)) },
    },
    "New game",
  );
  const sharing = h(
    "button",
    { type: "button", on: { click: () => share("A game of Asterism", replay) } },
    "Share",
  );
  const { dialog } = openDialog(
    game.status === "won" ? "Won!" : "Resigned",
    h(
      "div",
      { class: "end", "data-status": game.status },
      icon(game.variant),
      h("p", {}, h("b", {}, capitalized(dealInWords(game.deal))), h("br"), facts.join(" · ")),
    ),
    h(
      "p",
      { class: "actions" },
      verify,
      h("a", { class: "button", href: replay }, "Replay"),
      sharing,
      again,
    ),
  );
  dialog.classList.add("celebration");
  again.focus();
}
