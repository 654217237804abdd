import assert from "node:assert/strict";
import { test } from "node:test";
import { matchPlaces, placesOf } from "../../../service/web/logic/matching.mjs";
import { afterMove, positionsOf } from "../../../service/web/logic/table.mjs";
import { pile } from "./piles.mjs";

const piles = [
  pile("t1", "tableau", ["9H"], 2),
  pile("t2", "tableau", ["TC"]),
  pile("s", "stock", [], 8),
];

test("a card that is turned up but not known yet stays face down", () => {
  const [source, target] = afterMove(piles, "t1t2");
  assert.deepEqual(
    [source, target],
    [pile("t1", "tableau", [], 2), pile("t2", "tableau", ["TC", "9H"])],
  );
  assert.deepEqual(
    afterMove(piles, "t1t2", [{ pile: "t1", card: "KD" }])[0],
    pile("t1", "tableau", ["KD"], 1),
  );
});

test("a dealt row comes from the stock", () => {
  const after = afterMove(piles, "deal", [
    { pile: "t1", card: "2C" },
    { pile: "t2", card: "3C" },
  ]);
  assert.deepEqual(after, [
    pile("t1", "tableau", ["9H", "2C"], 2),
    pile("t2", "tableau", ["TC", "3C"]),
    pile("s", "stock", [], 6),
  ]);
});

test("a replay has a position for the deal and for each move", () => {
  const replay = {
    start: piles,
    moves: ["t1t2", "deal"],
    reveals: [
      { ply: 1, pile: "t1", card: "KD" },
      { ply: 2, pile: "t1", card: "QD" },
      { ply: 2, pile: "t2", card: "AS" },
    ],
  };
  const positions = positionsOf(replay);
  assert.equal(positions.length, 3);
  assert.deepEqual(positions[2], [
    pile("t1", "tableau", ["KD", "QD"], 1),
    pile("t2", "tableau", ["TC", "9H", "AS"]),
    pile("s", "stock", [], 6),
  ]);
});

test("cards that did not move stay themselves, and a moved one is followed", () => {
  const before = placesOf(piles);
  const after = placesOf(afterMove(piles, "t1t2"));
  const matches = matchPlaces(before, after);
  const moved = after.findIndex(({ face }) => face === "9H");
  assert.equal(before[matches[moved]].pile, "t1");
  assert.equal(
    new Set(matches.filter((match) => match >= 0)).size,
    matches.filter((match) => match >= 0).length,
  );
});

test("of two copies of a card, the one that lies still is not followed", () => {
  const before = placesOf([
    pile("t1", "tableau", ["2C"]),
    pile("t2", "tableau", ["2C"]),
    pile("t3", "tableau"),
  ]);
  const after = placesOf([
    pile("t1", "tableau", ["2C"]),
    pile("t2", "tableau"),
    pile("t3", "tableau", ["2C"]),
  ]);
  assert.deepEqual(matchPlaces(before, after), [0, 1]);
});

test("a face-down card is never followed to another place", () => {
  assert.deepEqual(
    matchPlaces(placesOf([pile("t1", "tableau", [], 1)]), placesOf([pile("t2", "tableau", [], 1)])),
    [-1],
  );
});
