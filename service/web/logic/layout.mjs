/** The layout that the API describes: groups of piles, and what people call a pile. */

/** @import { Layout, Variant } from "../types.d.ts" */

const NUMBERS = (
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
  "fifteen sixteen seventeen eighteen nineteen twenty"
).split(" ");

/**
 * A number in words up to twenty, in digits above.
 * @param {number} number
 */
export const numberInWords = (number) => NUMBERS[number] ?? String(number);

/**
 * A count and its noun: `one card`, `four cards`.
 * @param {number} count
 * @param {string} noun
 */
export const countInWords = (count, noun) =>
  `${numberInWords(count)} ${noun}${count === 1 ? "" : "s"}`;

/**
 * A text with a capital first letter.
 * @param {string} text
 */
export const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * A variant as the page draws it.
 * @param {Variant} variant
 * @returns {Layout}
 */
export function readLayout(variant) {
  const names = variant.layout.flatMap(({ kind, label, piles }) =>
    piles.map((id, index) => ({ id, kind, label, number: index + 1, alone: piles.length === 1 })),
  );
  return { variant, names: new Map(names.map((name) => [name.id, name])) };
}

/**
 * What people call a pile: `column two`, `stock`.
 * @param {Layout} layout
 * @param {string} id
 */
export function pileInWords(layout, id) {
  const name = layout.names.get(id);
  if (!name) return id;
  return name.alone ? name.label : `${name.label} ${numberInWords(name.number)}`;
}
