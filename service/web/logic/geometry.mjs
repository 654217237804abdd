/** Where everything lies: the place of each pile and card in a given space. */

import { chooseSizes } from "./sizes.mjs";

/** @import { Geometry, Layout, Pile, PilePlace } from "../types.d.ts" */
/** @import { Sizes } from "./sizes.mjs" */

const COMFORTABLE = 0.34; // how much of a covered card shows, by its height, where there is room
const HIDDEN = 0.36; // of that, for a face-down card
const LEAST = 9; // pixels of a covered card, even if the table then needs scrolling
const SPREAD = 1.3; // the distance of neighbouring piles, at most, by their width

/**
 * The geometry of a table in a space of `size`. Cards keep their size during a game: it follows
 * from the number of cards and piles alone. Long piles overlap more.
 * @param {Layout} layout
 * @param {Pile[]} piles
 * @param {{ width: number, height: number }} size in CSS pixels
 * @returns {Geometry}
 */
export function arrange(layout, piles, size) {
  const sizes = chooseSizes(layout, piles, size);
  const { width, height, gap, rows } = sizes;
  const byId = new Map(piles.map((pile) => [pile.id, pile]));
  /** @type {Map<string, PilePlace>} */
  const found = new Map();
  const lay = (/** @type {string} */ id, /** @type {number} */ x, /** @type {number} */ y) =>
    found.set(id, { x, y, width, height, offsets: areHidden(byId.get(id)).map(() => 0) });

  let y = gap;
  for (const groups of sizes.lines) {
    for (const [id, x] of alongLine(groups, sizes, size.width)) lay(id, x, y);
    y += height + gap * 1.5;
  }
  const space = Math.max(sizes.rowHeight, (size.height - y - gap * rows.length) / rows.length);
  const top = y;
  for (const row of rows) {
    let bottom = y + sizes.rowHeight;
    for (const [id, x] of alongRow(row, sizes, size.width)) {
      const offsets = overlap(byId.get(id), height, space);
      const tall = height + (offsets[offsets.length - 1] ?? 0);
      found.set(id, { x, y, width, height: tall, offsets });
      bottom = Math.max(bottom, y + tall);
    }
    y = bottom + gap;
  }
  const middle = top + (Math.min(y, size.height) - top) / 2;
  for (const [id, x, step] of atSides(sizes, size.width))
    lay(id, x, middle - height / 2 + step * (height + gap));
  return {
    card: { width, height },
    height: Math.max(Math.ceil(y - 0.01), size.height),
    piles: found,
  };
}

/**
 * The pile at a point, and the index of the card in it (-1 in an empty pile); null beside all.
 * @param {Geometry} geometry
 * @param {number} x
 * @param {number} y
 */
export function hit(geometry, x, y) {
  for (const [pile, place] of geometry.piles) {
    const inside = x >= place.x && x <= place.x + place.width;
    if (!inside || y < place.y || y > place.y + place.height) continue;
    return { pile, index: place.offsets.filter((offset) => place.y + offset <= y).length - 1 };
  }
  return null;
}

/**
 * Of some piles, the one that a card at this place covers most; null if it touches none.
 * @param {Geometry} geometry
 * @param {Iterable<string>} piles
 * @param {number} x of the card's left edge
 * @param {number} y of its upper edge
 */
export function mostCovered(geometry, piles, x, y) {
  const { width, height } = geometry.card;
  let [best, most] = [/** @type {string | null} */ (null), 0];
  for (const id of piles) {
    const place = geometry.piles.get(id);
    if (!place) continue;
    const across = Math.min(x + width, place.x + place.width) - Math.max(x, place.x);
    const down = Math.min(y + height, place.y + place.height + height / 2) - Math.max(y, place.y);
    const area = Math.max(0, across) * Math.max(0, down);
    if (area > most) [best, most] = [id, area];
  }
  return best;
}

/**
 * Each pile of a line with its x: groups spread over the width, a group alone in the middle.
 * @param {string[][]} groups
 * @param {Sizes} sizes
 * @param {number} space
 * @returns {[string, number][]}
 */
function alongLine(groups, { width, gap, rows }, space) {
  const count = groups.flat().length;
  const widest = Math.max(count, rows[0]?.length ?? 0) * (width + gap) * SPREAD;
  const free = Math.min(space, widest) - count * (width + gap) - gap;
  const alone = groups.length === 1;
  const inside = alone ? Math.min(width * 1.6, free / (count + 1)) : 0;
  const between = alone ? 0 : Math.min(free / (groups.length - 1), width * 3.2);
  const total = count * (width + gap) - gap + inside * (count - 1) + between * (groups.length - 1);
  let x = (space - total) / 2;
  return groups.flatMap((group) => {
    const start = x;
    x += group.length * (width + gap + inside) + between;
    return group.map(
      (id, index) => /** @type {[string, number]} */ ([id, start + index * (width + gap + inside)]),
    );
  });
}

/**
 * Each pile of a row of the tableau with its x; a shorter row lies in the middle.
 * @param {string[]} row
 * @param {Sizes} sizes
 * @param {number} space
 * @returns {[string, number][]}
 */
function alongRow(row, { width, gap, rows, side }, space) {
  const across = rows[0]?.length ?? 1;
  const step = Math.min((space - 2 * side - gap) / across, (width + gap) * SPREAD);
  const left = (space - step * row.length + step - width) / 2;
  return row.map((id, index) => [id, left + index * step]);
}

/**
 * Each pile at the sides with its x, and its step below or above the middle.
 * @param {Sizes} sizes
 * @param {number} space
 * @returns {[string, number, number][]}
 */
function atSides({ sides, side, width }, space) {
  const [x, half] = [(side - width) / 2, sides.length / 2];
  return sides.map((id, index) => {
    const step = (index % half) - (half - 1) / 2;
    return index < half ? [id, x, step] : [id, space - x - width, step];
  });
}

/**
 * The offsets of the cards of a pile from its upper edge, within `space`.
 * @param {Pile | undefined} pile
 * @param {number} height of a card
 * @param {number} space
 */
function overlap(pile, height, space) {
  const cards = areHidden(pile);
  const weights = cards.map((isHidden) => (isHidden ? HIDDEN : 1)).slice(0, -1);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const step = Math.max(LEAST, Math.min(height * COMFORTABLE, (space - height) / Math.max(1, sum)));
  let offset = 0;
  return cards.map((_, index) => (index ? (offset += step * (weights[index - 1] ?? 1)) : 0));
}

/**
 * Whether each card of a pile is face down, from the bottom.
 * @param {Pile | undefined} pile
 * @returns {boolean[]}
 */
const areHidden = (pile) =>
  pile ? [...Array(pile.hidden).fill(true), ...pile.cards.map(() => false)] : [];
