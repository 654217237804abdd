import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countMeant,
  countsFrom,
  formatMove,
  obviousTarget,
  offers,
  parseMove,
  takesBack,
  targetsOf,
} from "../../../service/web/logic/moves.mjs";
import { pile } from "./piles.mjs";

test("a move is read and written in its one spelling", () => {
  for (const text of ["t3f1", "t3t5x4", "t17f2", "c1t6"]) {
    const { from, to, count } = parseMove(text);
    assert.equal(formatMove(from, to, count), text);
  }
  assert.deepEqual(parseMove("t12t5x13"), { from: "t12", to: "t5", count: 13 });
  assert.deepEqual(parseMove("deal"), { from: "s", to: null, count: 0 });
  assert.throws(() => parseMove("nonsense"), TypeError);
});

test("who points at a card means it and those on it, or what can move", () => {
  const legal = ["t1t2x4", "t1t3x2", "t1c1", "t2t3x3", "deal"];
  assert.deepEqual(countsFrom(legal, "t1"), [1, 2, 4]);
  assert.equal(countMeant(legal, "t1", 2), 2);
  assert.equal(countMeant(legal, "t1", 3), 2);
  assert.equal(countMeant(legal, "t2", 1), 3);
  assert.equal(countMeant(legal, "t5", 1), 0);
});

test("all empty piles of a kind are targets where the lowest is listed", () => {
  const piles = [
    pile("t1", "tableau", ["KH"]),
    pile("c1", "cell", ["2C"]),
    pile("c2", "cell"),
    pile("c3", "cell"),
    pile("t2", "tableau"),
  ];
  assert.deepEqual(targetsOf(piles, ["t1c2"], "t1", 1), ["c2", "c3"]);
  assert.deepEqual(targetsOf(piles, ["t1c2", "t1t2"], "t1", 1), ["c2", "c3", "t2"]);
  assert.deepEqual(targetsOf(piles, ["t1c2"], "t1", 2), []);
});

test("a pile with only face-down cards is not empty", () => {
  const piles = [
    pile("t1", "tableau", ["KH"]),
    pile("t2", "tableau"),
    pile("t3", "tableau", [], 4),
  ];
  assert.deepEqual(targetsOf(piles, ["t1t2"], "t1", 1), ["t2"]);
});

test("the obvious move goes to a foundation before a column, and to a column before a cell", () => {
  const piles = [
    pile("t1", "tableau", ["9H"]),
    pile("t2", "tableau", ["TC"]),
    pile("c1", "cell"),
    pile("f1", "foundation", ["8S"]),
  ];
  assert.equal(obviousTarget(piles, ["t1t2", "t1c1", "t1f1"], "t1", 1), "f1");
  assert.equal(obviousTarget(piles, ["t1t2", "t1c1"], "t1", 1), "t2");
  assert.equal(obviousTarget(piles, ["t1c1"], "t1", 1), "c1");
});

test("where two cards take it, nothing is obvious", () => {
  const piles = [
    pile("t1", "tableau", ["AH"]),
    pile("f1", "foundation", ["2H"]),
    pile("f2", "foundation", ["KS"]),
  ];
  assert.equal(obviousTarget(piles, ["t1f1", "t1f2"], "t1", 1), null);
  assert.equal(obviousTarget(piles, [], "t1", 1), null);
});

test("a whole run is offered, a single card is not", () => {
  const piles = [pile("t1", "tableau", ["KH"]), pile("t2", "tableau"), pile("f1", "foundation")];
  assert.deepEqual(offers(piles, ["t1f1x13", "t1t2x13", "t2f1"]), ["t1f1x13"]);
});

test("a card that leaves the foundations is taken back, a transfer is not", () => {
  const piles = [
    pile("t1", "tableau"),
    pile("f1", "foundation", ["AH"]),
    pile("f2", "foundation", ["KS"]),
  ];
  assert.equal(takesBack(piles, "f1t1"), true);
  assert.equal(takesBack(piles, "f1f2"), false);
  assert.equal(takesBack(piles, "t1f1"), false);
});
