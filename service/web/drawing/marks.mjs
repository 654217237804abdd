/** What is lit on the table, and what each pile is called: what can be done, for eyes and ears. */

import { capitalized, pileInWords } from "../logic/layout.mjs";
import { pileContents } from "../logic/words.mjs";

/** @import { Layout, Pile, Place } from "../types.d.ts" */

/**
 * @typedef {object} Marks
 * @property {Set<string>} sources piles from which a card can move
 * @property {{ from: string, count: number } | null} selected cards that are picked up
 * @property {Set<string>} targets piles that take them
 * @property {{ from: string, to: string | null, count: number } | null} hint
 */

/** @type {Marks} */
export const NO_MARKS = { sources: new Set(), selected: null, targets: new Set(), hint: null };

/**
 * Marks piles.
 * @param {Map<string, HTMLButtonElement>} buttons
 * @param {Marks} marks
 */
export function markPiles(buttons, { sources, selected, targets, hint }) {
  for (const [id, button] of buttons) {
    const isSelected = selected?.from === id;
    button.dataset["state"] = targets.has(id)
      ? "target"
      : isSelected
        ? "selected"
        : sources.has(id)
          ? "source"
          : "";
    button.toggleAttribute("data-hint", hint?.to === id || (hint?.from === id && hint.to === null));
    button.setAttribute("aria-pressed", String(isSelected));
  }
}

/**
 * Marks cards that are picked up or hinted.
 * @param {{ place: Place, element: HTMLElement }[]} cards
 * @param {Pile[]} piles
 * @param {Marks} marks
 */
export function markCards(cards, piles, { selected, hint }) {
  const totals = new Map(piles.map((pile) => [pile.id, pile.hidden + pile.cards.length]));
  const isMoved = (
    /** @type {Place} */ { pile, index },
    /** @type {{ from: string, count: number } | null} */ move,
  ) => move?.from === pile && index >= (totals.get(pile) ?? 0) - move.count;
  for (const { place, element } of cards) {
    element.classList.toggle("lifted", isMoved(place, selected));
    element.classList.toggle("hinted", isMoved(place, hint));
  }
}

/**
 * Calls each pile by what lies on it and what can be done with it.
 * @param {Map<string, HTMLButtonElement>} buttons
 * @param {Layout} layout
 * @param {Pile[]} piles
 * @param {Marks} marks
 */
export function namePiles(buttons, layout, piles, { selected, targets }) {
  for (const pile of piles) {
    const button = buttons.get(pile.id);
    if (!button) continue;
    const isSelected = selected?.from === pile.id;
    const state = targets.has(pile.id)
      ? `; place it on ${pileInWords(layout, pile.id)}`
      : isSelected
        ? `; ${selected.count} picked up`
        : "";
    button.setAttribute("aria-label", capitalized(pileContents(layout, pile)) + state);
    button.dataset["count"] = pile.kind === "stock" ? String(pile.hidden) : "";
  }
}
