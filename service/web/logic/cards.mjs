/** Cards, and how people call them. */

const RANKS = {
  A: "ace",
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
};
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

/** All faces, in canonical order. */
export const FACES = [..."CDHS"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));

/**
 * The rank of a card in words: `ten`.
 * @param {string} card
 */
export const rankInWords = (card) => RANKS[/** @type {keyof RANKS} */ (card[0])];

/**
 * The suit of a card in words: `clubs`.
 * @param {string} card
 */
export const suitInWords = (card) => SUITS[/** @type {keyof SUITS} */ (card[1])];

/**
 * A card in words: `ten of clubs`.
 * @param {string} card
 */
export const cardInWords = (card) => `${rankInWords(card)} of ${suitInWords(card)}`;

/**
 * What is printed in the corner of a card: `10`, `Q`.
 * @param {string} card
 */
export const rankOnCard = (card) => (card.startsWith("T") ? "10" : card.slice(0, 1));
