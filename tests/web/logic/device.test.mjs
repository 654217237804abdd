import "./node18.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { gameUrl, parseRoute, replayUrl, rulesUrl } from "../../../service/web/logic/routes.mjs";
import { randomSeed, seedFrom } from "../../../service/web/logic/seeds.mjs";
import { summarize } from "../../../service/web/logic/statistics.mjs";
import { Library, MemoryStorage } from "../../../service/web/logic/storage.mjs";

const ID = "uxdxzsrlzskkxjqlyqb3dqtfae";

const game = (changes) => ({
  id: ID,
  variant: "astrocyte",
  deal: { id: "astrocyte-1", number: "1", fairness: "public", commitment: null },
  label: null,
  status: "in_progress",
  ply: 0,
  counters: { moves: 0, undos: 0, hints: 0, reveals_undone: 0 },
  created_at: "2026-11-30T18:00:00.000Z",
  updated_at: "2026-11-30T18:05:00.000Z",
  expires_at: "",
  ...changes,
});

test("a game is remembered with its token, which a later answer does not lose", () => {
  const library = new Library(new MemoryStorage());
  library.save(game(), "secret");
  library.save(game({ ply: 3 }));
  assert.deepEqual([library.game(ID).token, library.game(ID).ply], ["secret", 3]);
  library.forget(ID);
  assert.deepEqual(library.games(), []);
});

test("an export brings all games to another device", () => {
  const [one, other] = [new Library(new MemoryStorage()), new Library(new MemoryStorage())];
  one.save(game(), "secret");
  assert.equal(other.import(one.exported()), 1);
  assert.deepEqual(other.games(), one.games());
  assert.throws(() => other.import("{}"), TypeError);
});

test("a label key is kept beside its label, and comes along with an export", () => {
  const [one, other] = [new Library(new MemoryStorage()), new Library(new MemoryStorage())];
  one.setLabelKey("ada", "key of ada");
  one.setLabelKey("__proto__", "another");
  other.setLabelKey("ada", "a newer one");
  other.import(one.exported());
  assert.deepEqual(
    ["ada", "__proto__", "bob"].map((label) => other.labelKey(label)),
    ["a newer one", "another", null],
  );
  one.setLabelKey("ada", null);
  assert.equal(one.labelKey("ada"), null);
});

test("a write without an outcome is kept", () => {
  const library = new Library(new MemoryStorage());
  const command = { action: "undo", body: { version: 3, steps: 1 }, key: "k" };
  library.setUnsent(ID, command);
  assert.deepEqual(library.unsent(ID), command);
  library.setUnsent(ID, null);
  assert.equal(library.unsent(ID), null);
});

test("what somebody else stored does no harm", () => {
  const storage = new MemoryStorage();
  storage.setItem("asterism/game/x", "{");
  storage.setItem("other", "{}");
  assert.deepEqual(new Library(storage).games(), []);
});

test("statistics count wins, streaks and the best of them", () => {
  const won = (minute, moves) =>
    game({ status: "won", updated_at: `2026-11-30T18:${minute}:00.000Z`, counters: { moves } });
  const [summary] = summarize([
    won("20", 110),
    won("10", 102),
    game({ status: "resigned", updated_at: "2026-11-30T18:15:00.000Z" }),
    game(),
  ]);
  assert.deepEqual(summary, {
    variant: "astrocyte",
    started: 4,
    won: 2,
    lost: 1,
    streak: 1,
    longest: 1,
    fewest: 102,
    fastest: 600,
  });
});

test("every view has a URL, and whatever else there is leads home", () => {
  assert.deepEqual(parseRoute(gameUrl(ID)), { view: "game", id: ID, ply: null });
  assert.deepEqual(parseRoute(replayUrl(ID, 12)), { view: "replay", id: ID, ply: 12 });
  assert.deepEqual(parseRoute(rulesUrl("binary-star")), { view: "rules", variant: "binary-star" });
  for (const other of ["", "#/", "#/game/short", "#/../x", "#/game"])
    assert.deepEqual(parseRoute(other), { view: "home" });
});

test("any text is a seed, and a seed is itself", () => {
  for (const text of ["", "a", "zwölf", "x".repeat(200), randomSeed()])
    assert.match(seedFrom(text), /^([0-9a-f]{2}){16,64}$/);
  const seed = randomSeed();
  assert.equal(seedFrom(seed), seed);
  assert.equal(seedFrom("a"), "61" + "00".repeat(15));
});
