/** Piles and layouts for tests. */

/** @param {string} id @param {string} kind @param {string[]} [cards] @param {number} [hidden] */
export const pile = (id, kind, cards = [], hidden = 0) => ({ id, kind, hidden, cards });

const ids = (letter, count) => Array.from({ length: count }, (_, index) => letter + (index + 1));

export const VARIANTS = {
  "binary-star": [
    { kind: "tableau", label: "fan", piles: ids("t", 17) },
    { kind: "foundation", label: "black hole", piles: ids("f", 2) },
  ],
  astrocyte: [
    { kind: "tableau", label: "column", piles: ids("t", 8) },
    { kind: "cell", label: "cell", piles: ids("c", 4) },
    { kind: "foundation", label: "foundation", piles: ids("f", 8) },
    { kind: "stock", label: "stock", piles: ["s"] },
  ],
};

/** A table as it is dealt: 104 cards, as deep as the game is. */
export const dealt = {
  "binary-star": [
    ...ids("t", 17).map((id) => pile(id, "tableau", Array(6).fill("2C"))),
    pile("f1", "foundation", ["AH"]),
    pile("f2", "foundation", ["KS"]),
  ],
  astrocyte: [
    ...ids("t", 8).map((id) => pile(id, "tableau", ["2C"], 7)),
    ...ids("c", 4).map((id) => pile(id, "cell")),
    ...ids("f", 8).map((id) => pile(id, "foundation")),
    pile("s", "stock", [], 40),
  ],
};
