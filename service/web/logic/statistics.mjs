/** Figures of one's own, from the games on this device. */

/** @import { StoredGame } from "../types.d.ts" */

/**
 * @typedef {object} Summary
 * @property {string} variant
 * @property {number} started
 * @property {number} won
 * @property {number} lost resigned
 * @property {number} streak wins in a row until now
 * @property {number} longest wins in a row
 * @property {number | null} fewest moves of a win
 * @property {number | null} fastest win, in seconds
 */

/**
 * Figures by variant, from games in any order.
 * @param {StoredGame[]} games
 * @returns {Summary[]}
 */
export function summarize(games) {
  const variants = [...new Set(games.map(({ variant }) => variant))].sort();
  return variants.map((variant) => ({
    variant,
    ...figures(games.filter((game) => game.variant === variant)),
  }));
}

/** @param {StoredGame[]} games */
function figures(games) {
  const ended = games
    .filter(({ status }) => status !== "in_progress")
    .sort((one, other) => one.updated_at.localeCompare(other.updated_at));
  const wins = ended.filter(({ status }) => status === "won");
  let [streak, longest] = [0, 0];
  for (const { status } of ended) {
    streak = status === "won" ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return {
    started: games.length,
    won: wins.length,
    lost: ended.length - wins.length,
    streak,
    longest,
    fewest: least(wins.map(({ counters }) => counters.moves)),
    fastest: least(wins.map(secondsOf)),
  };
}

/**
 * The seconds from the creation of a game to its last change.
 * @param {Pick<StoredGame, "created_at" | "updated_at">} game
 */
export const secondsOf = (game) =>
  (Date.parse(game.updated_at) - Date.parse(game.created_at)) / 1000;

/** @param {number[]} numbers */
const least = (numbers) => (numbers.length > 0 ? Math.min(...numbers) : null);
