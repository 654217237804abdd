/** Which card on the table became which: so that a card is seen to move, whatever moved it. */

/** @import { Pile, Place } from "../types.d.ts" */

/**
 * The places of all cards, each pile from the bottom.
 * @param {Pile[]} piles
 * @returns {Place[]}
 */
export const placesOf = (piles) =>
  piles.flatMap((pile) => [
    ...Array.from({ length: pile.hidden }, (_, index) => ({ pile: pile.id, index, face: null })),
    ...pile.cards.map((face, index) => ({ pile: pile.id, index: pile.hidden + index, face })),
  ]);

/**
 * For each new place, the index of the old place that its card comes from, or -1. A card that did
 * not move stays itself. Face-down cards match only where they lie: they are not followed.
 * @param {Place[]} before
 * @param {Place[]} after
 * @returns {number[]}
 */
export function matchPlaces(before, after) {
  const key = (/** @type {Place} */ place) => `${place.pile}:${place.index}:${place.face}`;
  const atPlace = new Map(before.map((place, index) => [key(place), index]));
  const matched = after.map((place) => atPlace.get(key(place)) ?? -1);
  const taken = new Set(matched);
  /** @type {Map<string, number[]>} */
  const leftByFace = new Map();
  before.forEach(({ face }, index) => {
    if (face === null || taken.has(index)) return;
    leftByFace.set(face, [...(leftByFace.get(face) ?? []), index]);
  });
  return matched.map((found, index) => {
    const face = after[index]?.face;
    return found >= 0 || !face ? found : (leftByFace.get(face)?.shift() ?? -1);
  });
}
