/** `<home-view>`: the games, and the ones that were begun on this device. */

import { gameUrl, rulesUrl } from "../logic/routes.mjs";
import { dealInWords } from "../logic/words.mjs";
import { create } from "./creation.mjs";
import { button, h, icon } from "./dom.mjs";
import { cardElement } from "./faces.mjs";
import { failure, page } from "./frame.mjs";
import { startNewGame } from "./new_game.mjs";
import { allLayouts, client, library, patiently } from "./services.mjs";

/** @import { Layout } from "../types.d.ts" */

/** @type {Record<string, string[]>} the cards on the picture of a game */
const CARDS = { "binary-star": ["AH", "KS"], astrocyte: ["KC", "QC", "JC", "TC"] };

/** The first view. */
export class HomeView extends HTMLElement {
  connectedCallback() {
    document.title = "Asterism";
    delete document.documentElement.dataset["variant"];
    const status = h("p", { role: "status" }, "");
    this.append(
      ...page(
        "Asterism",
        h("p", { class: "lead" }, "Two solitaires, each with two packs of cards."),
        status,
      ),
    );
    patiently(allLayouts, (words) => status.replaceChildren(words))
      .then((layouts) => status.replaceWith(h("div", { class: "games" }, ...layouts.map(gameCard))))
      .catch((error) => status.replaceWith(failure(error)));
  }
}

/** @param {Layout} layout */
function gameCard({ variant }) {
  const { name, title, rules } = variant;
  const words = rules.split("\n\n")[1] ?? "";
  const goal = /\*\*Goal\.\*\* (.+)/.exec(rules)?.[1] ?? "";
  const begun = library
    .games()
    .find((game) => game.variant === name && game.status === "in_progress" && game.token);
  const resume =
    begun &&
    h(
      "a",
      { class: "button primary", href: gameUrl(begun.id) },
      "Continue",
      h("small", {}, dealInWords(begun.deal)),
    );
  const daily = button("daily", "Today’s deal", () => void startDaily(name));
  return h(
    "article",
    { class: "game-card", "data-variant": name },
    icon(name),
    h("div", { class: "cards", "aria-hidden": "true" }, ...(CARDS[name] ?? []).map(cardElement)),
    h("h2", {}, title),
    h("p", {}, words),
    h("p", { class: "goal" }, goal),
    h(
      "p",
      { class: "actions" },
      resume || null,
      h(
        "button",
        {
          type: "button",
          class: resume ? "" : "primary",
          on: { click: () => void startNewGame(name) },
        },
        "New game",
      ),
      daily,
      h("a", { class: "tool", href: rulesUrl(name) }, icon("rules"), h("span", {}, "Rules")),
    ),
  );
}

/**
 * Goes to today's game on this device, or starts it.
 * @param {import("../types.d.ts").VariantName} variant
 */
async function startDaily(variant) {
  const { day, items } = await patiently(client.daily);
  const deal = items.find((item) => item.variant === variant);
  const begun = library.games().find((game) => game.deal.id === deal?.id && game.token);
  if (begun) location.hash = gameUrl(begun.id);
  else
    await create({
      variant,
      deal: { daily: day },
      ...(library.settings.label ? { label: library.settings.label } : {}),
    });
}

customElements.define("home-view", HomeView);
