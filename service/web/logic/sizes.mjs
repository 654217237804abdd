/** How large the cards can be, and in which rows the piles then lie. */

/** @import { Layout, Pile } from "../types.d.ts" */

const RATIO = 1.4; // height of a card by its width
const WIDEST = 124; // pixels
const NARROWEST = 30;
const NOMINAL = 0.25; // how much of a covered card shows, by its height
const MOST_ROWS = 6;
const ENOUGH = 0.93; // of the largest cards, where these need more rows
const MOST_AT_SIDES = 4; // piles that can lie left and right of the tableau
const SIDE = 1.75; // the width of a side by that of a card

/**
 * @typedef {object} Sizes
 * @property {number} width of a card
 * @property {number} height of a card
 * @property {number} gap between piles
 * @property {string[][]} rows of the tableau
 * @property {number} rowHeight of a row with piles of nominal depth
 * @property {string[][][]} lines of other piles above the tableau, each of groups
 * @property {string[]} sides other piles, the first half left and the second right of it
 * @property {number} side the width of each side
 */

/**
 * The largest cards with which a table fits whose piles are equally deep.
 * @param {Layout} layout
 * @param {Pile[]} piles
 * @param {{ width: number, height: number }} space
 * @returns {Sizes}
 */
export function chooseSizes(layout, piles, space) {
  const groups = layout.variant.layout;
  const tableau = groups.filter(({ kind }) => kind === "tableau").flatMap((group) => group.piles);
  const others = groups.filter(({ kind }) => kind !== "tableau").map((group) => group.piles);
  const cards = piles.reduce((sum, pile) => sum + pile.hidden + pile.cards.length, 0);
  const depth = Math.max(1, Math.round(cards / Math.max(1, tableau.length)));
  const gap = Math.max(4, Math.min(12, space.width / 100));
  const few = others.flat().length <= MOST_AT_SIDES && others.flat().length % 2 === 0;

  const sized = (
    /** @type {number} */ width,
    /** @type {number} */ count,
    /** @type {boolean} */ isBeside,
  ) => {
    const across = Math.ceil(tableau.length / count);
    const height = width * RATIO;
    const room = Math.max(1, Math.floor((space.width - gap) / (width + gap)));
    return {
      width,
      height,
      gap,
      rows: Array.from({ length: count }, (_, row) =>
        tableau.slice(row * across, (row + 1) * across),
      ),
      rowHeight: height * (1 + (depth - 1) * NOMINAL),
      lines: isBeside ? [] : flow(others, room),
      sides: isBeside ? others.flat() : [],
      side: isBeside ? width * SIDE : 0,
    };
  };
  /** @type {Sizes[]} */
  const found = [];
  for (let count = 1; count <= MOST_ROWS; count++) {
    for (const isBeside of few ? [true, false] : [false]) {
      const widths = Array.from({ length: WIDEST - NARROWEST }, (_, less) => WIDEST - less);
      const largest = widths
        .map((width) => sized(width, count, isBeside))
        .find((sizes) => fits(sizes, space));
      if (largest) found.push(largest);
    }
  }
  const widest = Math.max(...found.map(({ width }) => width));
  const across = Math.max(1, Math.floor((space.width - gap) / (NARROWEST + gap)));
  const narrow = () => sized(NARROWEST, Math.ceil(tableau.length / across), false);
  return found.find(({ width }) => width >= widest * ENOUGH) ?? narrow();
}

/** @param {Sizes} sizes @param {{ width: number, height: number }} space */
function fits({ width, height, gap, rows, rowHeight, lines, side }, space) {
  const wide = (rows[0]?.length ?? 0) * (width + gap) + gap + 2 * side;
  const tall = lines.length * (height + gap * 1.5) + rows.length * (rowHeight + gap) + gap;
  return wide <= space.width && tall <= space.height;
}

/**
 * Groups in as few lines of at most `room` piles as possible, as even as whole groups allow.
 * @param {string[][]} groups
 * @param {number} room
 */
function flow(groups, room) {
  const fewest = fill(groups, room).length;
  const longest = Math.max(0, ...groups.map((group) => group.length));
  for (let narrower = longest; narrower < room; narrower++) {
    const lines = fill(groups, narrower);
    if (lines.length === fewest) return lines;
  }
  return fill(groups, room);
}

/**
 * Groups in lines of at most `room` piles, each in the first line that has room for it.
 * @param {string[][]} groups
 * @param {number} room
 */
function fill(groups, room) {
  /** @type {string[][][]} */
  const lines = [];
  for (const group of groups) {
    for (let start = 0; start < group.length; start += room) {
      const part = group.slice(start, start + room);
      const line = lines.find((other) => other.flat().length + part.length <= room);
      if (line) line.push(part);
      else lines.push([part]);
    }
  }
  return lines;
}
