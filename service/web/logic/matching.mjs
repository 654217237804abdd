/** Which card on the table became which: so that a card is seen to move, whatever moved it. */

/** @import { Pile, Place } from "../types.d.ts" */

/**
 * The places of the cards that are drawn, each pile from the bottom: of the face-down ones in a
 * pile that is not spread, only the last.
 * @param {Pile[]} piles
 * @returns {Place[]}
 */
export const placesOf = (piles) =>
  piles.flatMap(({ id: pile, kind, hidden, cards }) => {
    const first = kind === "tableau" ? 0 : Math.max(0, hidden - 1);
    const backs = Array.from({ length: hidden - first }, (_, index) => first + index);
    return [
      ...backs.map((index) => ({ pile, index, face: null })),
      ...cards.map((face, index) => ({ pile, index: hidden + index, face })),
    ];
  });

/**
 * What tells places apart: the pile and the index in it.
 * @param {Place} place
 */
export const placeId = ({ pile, index }) => `${pile}:${index}`;

/**
 * The pile that has fewer face-down cards than before: where cards that are new come from.
 * @param {Pile[]} before
 * @param {Pile[]} after
 */
export function dealtFrom(before, after) {
  const hidden = new Map(before.map((pile) => [pile.id, pile.hidden]));
  return after.find((pile) => pile.hidden < (hidden.get(pile.id) ?? 0))?.id ?? null;
}

/**
 * For each new place, the index of the old place that its card comes from, or -1. A card that did
 * not move stays itself. Face-down cards match only where they lie: they are not followed.
 * @param {Place[]} before
 * @param {Place[]} after
 * @returns {number[]}
 */
export function matchPlaces(before, after) {
  const key = (/** @type {Place} */ place) => `${placeId(place)}:${place.face}`;
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
