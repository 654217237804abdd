/** The dialog for a new game: which variant, and which deal. */

import { newKey, Problem } from "../logic/client.mjs";
import { randomSeed, seedFrom } from "../logic/seeds.mjs";
import { create } from "./creation.mjs";
import { openDialog } from "./dialogs.mjs";
import { h } from "./dom.mjs";
import { allLayouts, client, library, patiently } from "./services.mjs";

/** @import { NewGame, VariantName } from "../types.d.ts" */

/** @type {[string, string, string][]} the kinds of deals, what they are called, and what they are */
const DEALS = [
  ["random", "Random", "sealed until the end, then open to verification"],
  ["daily", "Daily", "the same for everybody today"],
  ["winnable", "Winnable", "a numbered deal that is known to be winnable"],
  ["number", "Number", "any deal from 1 to 2⁶⁴ − 1"],
  ["fair", "Fair", "shuffled from the server’s seed and yours: neither side can choose it"],
];

/**
 * Asks which game to start, starts it and goes there.
 * @param {string} [preferred] the variant that is chosen first
 */
export async function startNewGame(preferred) {
  const layouts = await patiently(allLayouts);
  const variants = layouts.map(({ variant: { name, title } }) =>
    choice("variant", name, title, "", name === (preferred ?? layouts[0]?.variant.name)),
  );
  const number = h("input", {
    name: "number",
    inputmode: "numeric",
    pattern: "[1-9][0-9]{0,19}",
    placeholder: "4711",
    "aria-label": "Number of the deal",
    autocomplete: "off",
  });
  const seed = h("input", {
    name: "seed",
    value: randomSeed(),
    maxlength: 128,
    "aria-label": "Your seed: any text",
    autocomplete: "off",
    spellcheck: "false",
  });
  const difficulty = h(
    "select",
    { name: "difficulty", "aria-label": "Difficulty" },
    ...["Any difficulty", "1, easy", "2", "3", "4", "5, hard"].map((words, index) =>
      h("option", { value: index || "" }, words),
    ),
  );
  /** @type {Record<string, HTMLElement>} */
  const fields = { number, winnable: difficulty, fair: seed };
  const deals = DEALS.map(([value, title, detail]) => {
    const option = choice("deal", value, title, detail, value === "random");
    option.append(fields[value] ?? "");
    return option;
  });
  const label = h("input", {
    name: "label",
    maxlength: 64,
    value: library.settings.label ?? "",
    autocomplete: "nickname",
    placeholder: "none",
  });
  const error = h("p", { class: "error", role: "alert" });
  const submit = h("button", { class: "primary", autofocus: true }, "Deal the cards");
  const form = h(
    "form",
    { class: "new-game", on: { submit: start } },
    h("fieldset", { class: "variants" }, h("legend", {}, "Game"), ...variants),
    h("fieldset", { class: "deals" }, h("legend", {}, "Deal"), ...deals),
    h("label", { class: "field" }, h("span", {}, "Name in the results"), label),
    error,
    h("p", { class: "actions" }, submit),
  );
  form.addEventListener("focusin", (event) => {
    const option = /** @type {Element} */ (event.target)
      .closest(".choice")
      ?.querySelector("input[type=radio]");
    if (option && event.target !== option) /** @type {HTMLInputElement} */ (option).checked = true;
  });
  const { dialog } = openDialog("New game", form);

  /** @param {Event} event */
  async function start(event) {
    event.preventDefault();
    const data = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
    );
    submit.disabled = true;
    error.textContent = "";
    try {
      const request = await requestFor(data);
      await create(request, (words) => (error.textContent = words));
      dialog.close();
    } catch (problem) {
      if (!(problem instanceof Problem) && !(problem instanceof RangeError)) throw problem;
      error.textContent = problem.message;
    } finally {
      submit.disabled = false;
    }
  }
}

/**
 * The request for what was chosen; throws RangeError if it says what is missing.
 * @param {Record<string, string>} data
 * @returns {Promise<NewGame>}
 */
async function requestFor({ variant, deal, number = "", seed = "", difficulty, label }) {
  library.change({ label: label ?? "" });
  const name = /** @type {VariantName} */ (variant);
  const request = { variant: name, ...(label ? { label } : {}) };
  if (deal === "number") {
    if (!/^[1-9][0-9]{0,19}$/.test(number)) throw new RangeError("Type the number of a deal.");
    return { ...request, deal: { number } };
  }
  if (deal === "daily") return { ...request, deal: { daily: (await patiently(client.daily)).day } };
  if (deal === "winnable")
    return { ...request, deal: { number: await winnableDeal(name, difficulty ?? "") } };
  if (deal !== "fair") return { ...request, deal: { random: true } };
  const key = newKey();
  const { commitment_id } = await patiently(() => client.commit(key));
  return { ...request, deal: { commitment_id, player_seed: seedFrom(seed) } };
}

/**
 * A winnable deal that was not played on this device, if there is one.
 * @param {VariantName} variant
 * @param {string} difficulty
 */
async function winnableDeal(variant, difficulty) {
  const query = {
    variant,
    solvable: "proven",
    limit: "500",
    ...(difficulty ? { difficulty } : {}),
  };
  const { items } = await patiently(() => client.deals(query));
  const played = new Set(library.games().map(({ deal }) => deal.id));
  const unplayed = items.filter(({ id }) => !played.has(id));
  const from = unplayed.length > 0 ? unplayed : items;
  const deal = from[Math.floor(Math.random() * from.length)];
  if (!deal) throw new RangeError("No such deal is known.");
  return deal.number;
}

/**
 * An option with its radio button.
 * @param {string} name
 * @param {string} value
 * @param {string} title
 * @param {string} detail
 * @param {boolean} checked
 */
function choice(name, value, title, detail, checked) {
  return h(
    "div",
    { class: "choice", "data-value": value },
    h(
      "label",
      {},
      h("input", { type: "radio", name, value, checked }),
      h("span", {}, h("b", {}, title), detail ? h("small", {}, detail) : null),
    ),
  );
}
