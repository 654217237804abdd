import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange, hit, mostCovered } from "../../../service/web/logic/geometry.mjs";
import { readLayout } from "../../../service/web/logic/layout.mjs";
import { dealt, pile, VARIANTS } from "./piles.mjs";

const layouts = Object.fromEntries(
  Object.entries(VARIANTS).map(([name, layout]) => [name, readLayout({ name, layout })]),
);
const SPACES = [
  [320, 470],
  [360, 640],
  [568, 240],
  [820, 1070],
  [1280, 620],
  [1920, 980],
  [2560, 1300],
].map(([width, height]) => ({ width, height }));

for (const name of Object.keys(VARIANTS)) {
  for (const space of SPACES) {
    test(`a dealt table of ${name} fits in ${space.width}×${space.height}, and nothing overlaps`, () => {
      const geometry = arrange(layouts[name], dealt[name], space);
      const places = [...geometry.piles.values()];
      assert.equal(places.length, dealt[name].length);
      for (const place of places) {
        assert.ok(place.x >= 0 && place.x + place.width <= space.width + 0.5, "within the width");
        assert.ok(
          place.y >= 0 && place.y + place.height <= geometry.height + 0.5,
          "within the height",
        );
      }
      places.forEach((one, index) =>
        places.slice(index + 1).forEach((other) => {
          const apart =
            one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y;
          assert.ok(apart, "piles lie apart");
        }),
      );
      if (space.height > 400) assert.ok(geometry.height <= space.height, "without scrolling");
      assert.ok(geometry.card.width >= 30);
    });
  }
}

test("cards are readable on the smallest phone", () => {
  assert.ok(
    arrange(layouts["binary-star"], dealt["binary-star"], { width: 320, height: 470 }).card.width >=
      40,
  );
  assert.ok(
    arrange(layouts.astrocyte, dealt.astrocyte, { width: 320, height: 470 }).card.width >= 34,
  );
});

test("a long column overlaps more and still fits; the cards keep their size", () => {
  const space = { width: 1280, height: 620 };
  const long = dealt.astrocyte.map((item) =>
    item.id === "t1"
      ? pile("t1", "tableau", Array(20).fill("2C"), 7)
      : item.id === "s"
        ? pile("s", "stock", [], 21)
        : item,
  );
  const [before, after] = [
    arrange(layouts.astrocyte, dealt.astrocyte, space),
    arrange(layouts.astrocyte, long, space),
  ];
  assert.deepEqual(after.card, before.card);
  assert.ok(after.height <= space.height);
});

test("a point hits the card that is seen there", () => {
  const geometry = arrange(layouts["binary-star"], dealt["binary-star"], {
    width: 1280,
    height: 620,
  });
  const place = geometry.piles.get("t3");
  assert.deepEqual(hit(geometry, place.x + 5, place.y + 2), { pile: "t3", index: 0 });
  assert.deepEqual(hit(geometry, place.x + 5, place.y + place.height - 2), {
    pile: "t3",
    index: 5,
  });
  assert.equal(hit(geometry, place.x - 3, place.y), null);
});

test("a card is put on the pile that it covers most", () => {
  const geometry = arrange(layouts.astrocyte, dealt.astrocyte, { width: 1280, height: 620 });
  const [one, two] = [geometry.piles.get("t1"), geometry.piles.get("t2")];
  assert.equal(mostCovered(geometry, ["t1", "t2"], two.x - 20, two.y + 10), "t2");
  assert.equal(mostCovered(geometry, ["t1"], one.x + 400, one.y), null);
});

test("what lies above the columns is shared evenly between its lines", () => {
  const geometry = arrange(layouts.astrocyte, dealt.astrocyte, { width: 1024, height: 668 });
  const [stock, cell, first, last] = ["s", "c1", "f1", "f8"].map((id) => geometry.piles.get(id).y);
  assert.equal(stock, cell);
  assert.equal(first, last);
  assert.notEqual(stock, first);
});
