/** Piles after a move, and every position of a replay: cards are carried, no rule is judged. */

import { parseMove } from "./moves.mjs";

/** @import { Pile, Replay, Reveal } from "../types.d.ts" */

/**
 * The piles after a move. A card that it turns up but that is not known yet stays face down.
 * @param {Pile[]} piles
 * @param {string} text
 * @param {Reveal[]} [reveals]
 * @returns {Pile[]}
 */
export function afterMove(piles, text, reveals = []) {
  const { from, to, count } = parseMove(text);
  const turned = new Map(reveals.map(({ pile, card }) => [pile, card]));
  if (to === null) {
    return piles.map((pile) => {
      if (pile.id === from) return { ...pile, hidden: pile.hidden - turned.size };
      const card = turned.get(pile.id);
      return card ? { ...pile, cards: [...pile.cards, card] } : pile;
    });
  }
  const moved = piles.find((pile) => pile.id === from)?.cards.slice(-count) ?? [];
  return piles.map((pile) => {
    if (pile.id === to) return { ...pile, cards: [...pile.cards, ...moved] };
    if (pile.id !== from) return pile;
    const cards = pile.cards.slice(0, -count);
    const card = turned.get(from);
    return card ? { ...pile, hidden: pile.hidden - 1, cards: [card] } : { ...pile, cards };
  });
}

/**
 * The cards that each move of a replay turned up, by the number of the move from 0.
 * @param {Replay} replay
 * @returns {Reveal[][]}
 */
export const revealsByMove = (replay) =>
  replay.moves.map((_, index) => replay.reveals.filter(({ ply }) => ply === index + 1));

/**
 * The table at the start of a replay and after each of its moves.
 * @param {Replay} replay
 * @returns {Pile[][]}
 */
export function positionsOf(replay) {
  const reveals = revealsByMove(replay);
  const positions = [replay.start];
  let piles = replay.start;
  replay.moves.forEach((move, index) => {
    piles = afterMove(piles, move, reveals[index]);
    positions.push(piles);
  });
  return positions;
}
