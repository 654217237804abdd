import assert from "node:assert/strict";
import { test } from "node:test";
import { cardInWords, FACES, rankOnCard } from "../../../service/web/logic/cards.mjs";
import { countInWords, pileInWords, readLayout } from "../../../service/web/logic/layout.mjs";
import { blocksOf } from "../../../service/web/logic/markdown.mjs";
import {
  dealInWords,
  moveInWords,
  pileContents,
  timeInWords,
  titleOf,
} from "../../../service/web/logic/words.mjs";
import { pile, VARIANTS } from "./piles.mjs";

const layout = readLayout({ name: "astrocyte", layout: VARIANTS.astrocyte });
const piles = [
  pile("t1", "tableau", ["9H"], 2),
  pile("t2", "tableau", ["KD", "TC"], 7),
  pile("t3", "tableau", ["5S", "4S", "3S"]),
  pile("c1", "cell"),
  pile("s", "stock", [], 40),
];

test("a card is called by its rank and suit", () => {
  assert.equal(cardInWords("9H"), "nine of hearts");
  assert.equal(rankOnCard("TS"), "10");
  assert.equal(new Set(FACES.map(cardInWords)).size, 52);
});

test("a move is told as people tell it", () => {
  assert.equal(moveInWords(layout, piles, "t1t2"), "nine of hearts to ten of clubs, column two");
  assert.equal(moveInWords(layout, piles, "t1c1"), "nine of hearts to cell one, which is empty");
  assert.equal(
    moveInWords(layout, piles, "t3t2x3"),
    "three cards, five to three of spades, to ten of clubs, column two",
  );
  assert.equal(
    moveInWords(layout, piles, "t1t2", [{ pile: "t1", card: "KD" }]),
    "nine of hearts to ten of clubs, column two; king of diamonds is turned up",
  );
  assert.equal(moveInWords(layout, piles, "deal"), "deal a row");
});

test("a pile is told with what it hides", () => {
  assert.equal(
    pileContents(layout, piles[1]),
    "column two: ten of clubs on king of diamonds, seven face down",
  );
  assert.equal(pileContents(layout, piles[3]), "cell one: empty");
  assert.equal(pileContents(layout, piles[4]), "stock: 40 face down");
  assert.equal(pileInWords(layout, "s"), "stock");
});

test("deals, counts and times are told", () => {
  assert.equal(
    dealInWords({ id: "astrocyte-8", number: "8", fairness: "public", commitment: null }),
    "deal 8",
  );
  assert.equal(
    dealInWords({
      id: "astrocyte-daily-2026-11-30",
      number: null,
      fairness: "daily",
      commitment: "",
    }),
    "daily deal of 2026-11-30",
  );
  assert.equal(
    dealInWords({ id: "astrocyte-sealed-00", number: null, fairness: "sealed", commitment: "" }),
    "sealed deal",
  );
  assert.equal(countInWords(1, "move"), "one move");
  assert.equal(countInWords(21, "move"), "21 moves");
  assert.equal(timeInWords(312.4), "5:12");
  assert.equal(timeInWords(3849), "1:04:09");
  assert.equal(titleOf("binary-star"), "Binary Star");
});

test("rules in Markdown become blocks", () => {
  const blocks = blocksOf("# A\n\nOne *two*.\n\n- **A1** `t1`\n- **A2** x\n");
  assert.deepEqual(
    blocks.map(({ tag }) => tag),
    ["h1", "p", "li", "li"],
  );
  assert.deepEqual(blocks[2].spans, [
    { style: "strong", text: "A1" },
    { style: "text", text: " " },
    { style: "code", text: "t1" },
  ]);
});
