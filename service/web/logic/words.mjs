/** What happens on the table, in words: for screen readers, and for everybody. */

import { cardInWords, rankInWords, suitInWords } from "./cards.mjs";
import { capitalized, countInWords, numberInWords, pileInWords } from "./layout.mjs";
import { parseMove } from "./moves.mjs";

/** @import { Command, Game, Layout, Pile, Reveal, WriteAnswer } from "../types.d.ts" */

/**
 * The cards of a move in words.
 * @param {string[]} cards
 */
function cardsInWords(cards) {
  const [first, last] = [cards[0] ?? "", cards[cards.length - 1] ?? ""];
  if (cards.length === 1) return cardInWords(first);
  const count = numberInWords(cards.length);
  return `${count} cards, ${rankInWords(first)} to ${rankInWords(last)} of ${suitInWords(first)},`;
}

/**
 * A move in words: `nine of hearts to ten of clubs, column two`.
 * @param {Layout} layout
 * @param {Pile[]} before the piles before it
 * @param {string} text
 * @param {Reveal[]} [reveals] the cards that it turns up
 */
export function moveInWords(layout, before, text, reveals = []) {
  const { from, to, count } = parseMove(text);
  const turned = reveals.map((reveal) => cardInWords(reveal.card)).join(", ");
  if (to === null) return turned ? `a row is dealt: ${turned}` : "deal a row";
  const source = before.find((pile) => pile.id === from);
  const target = before.find((pile) => pile.id === to);
  const top = target?.cards[target.cards.length - 1];
  const place = pileInWords(layout, to);
  const moved = source ? cardsInWords(source.cards.slice(-count)) : "";
  const where = top ? `${cardInWords(top)}, ${place}` : `${place}, which is empty`;
  return `${moved} to ${where}${turned ? `; ${turned} is turned up` : ""}`;
}

/** @type {Partial<Record<Command["action"], string>>} */
const DONE = { undo: "undone", redo: "played again" };

/**
 * What a write did, in words.
 * @param {Layout} layout
 * @param {Command} command
 * @param {WriteAnswer} answer
 */
export function answerInWords(layout, { action, body }, { game, reveals = [], move, why = "" }) {
  if (action === "hint")
    return move ? `Hint: ${moveInWords(layout, game.piles, move)}. ${why}` : why;
  const done = DONE[action];
  if (done) return `${countInWords(body.steps ?? 1, "move")} ${done}.`;
  return reveals.length > 0
    ? `Turned up: ${reveals.map(({ card }) => cardInWords(card)).join(", ")}.`
    : "";
}

/**
 * That a game is won or stuck, in words; nothing if it is neither.
 * @param {Game} game
 */
export function endInWords({ status, stuck }) {
  if (status === "won") return "The game is won.";
  return stuck ? "No move is left. Only an undo can help." : "";
}

/**
 * A pile in words: `column two: nine of hearts on ten of clubs, seven face down`.
 * @param {Layout} layout
 * @param {Pile} pile
 */
export function pileContents(layout, pile) {
  const name = pileInWords(layout, pile.id);
  const hidden = pile.hidden ? `${numberInWords(pile.hidden)} face down` : "";
  if (pile.cards.length === 0) return `${name}: ${hidden || "empty"}`;
  const spread = pile.kind === "tableau" ? pile.cards : pile.cards.slice(-1);
  const under = pile.cards.length - spread.length;
  const cards = [...spread].reverse().map(cardInWords).join(" on ");
  const rest = [under ? `on ${countInWords(under, "other")}` : "", hidden].filter(Boolean);
  return [`${name}: ${cards}`, ...rest].join(", ");
}

/**
 * The deal of a game in words: `deal 4711`, `daily deal of 2026-11-30`, `sealed deal`.
 * @param {Game["deal"]} deal
 */
export function dealInWords(deal) {
  if (deal.number) return `deal ${deal.number}`;
  const day = /-daily-(.+)$/.exec(deal.id)?.[1];
  return day ? `daily deal of ${day}` : `${deal.fairness} deal`;
}

/**
 * The name of a variant for people, where only the one for programs is at hand: `Binary Star`.
 * @param {string} name
 */
export const titleOf = (name) => name.split("-").map(capitalized).join(" ");

/**
 * Seconds as people read them: `5:12`, `1:04:09`.
 * @param {number} seconds
 */
export function timeInWords(seconds) {
  const whole = Math.round(seconds);
  const digits = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const rest = digits(whole % 60);
  return hours ? `${hours}:${digits(minutes)}:${rest}` : `${minutes}:${rest}`;
}
