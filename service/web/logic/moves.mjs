/** Moves in the notation of the API, and which of the legal ones a hand on the table can mean. */

/** @import { Move, Pile, PileKind } from "../types.d.ts" */

const MOVE = /^([a-z][0-9]*)([a-z][0-9]*)(?:x([0-9]+))?$/;

/** The move that deals a row. */
export const DEAL = "deal";

/**
 * The parts of a move.
 * @param {string} text
 * @returns {Move}
 */
export function parseMove(text) {
  if (text === DEAL) return { from: "s", to: null, count: 0 };
  const parts = MOVE.exec(text);
  if (!parts) throw new TypeError(`not a move: ${text}`);
  return { from: parts[1] ?? "", to: parts[2] ?? "", count: Number(parts[3] ?? 1) };
}

/**
 * The one spelling of a move.
 * @param {string} from
 * @param {string} to
 * @param {number} count
 */
export const formatMove = (from, to, count) => from + to + (count > 1 ? `x${count}` : "");

/**
 * How many cards a legal move takes from `pile`: each number once, fewest first.
 * @param {string[]} legal
 * @param {string} pile
 */
export function countsFrom(legal, pile) {
  const moves = legal.map(parseMove).filter((move) => move.to !== null && move.from === pile);
  return [...new Set(moves.map((move) => move.count))].sort((one, other) => one - other);
}

/**
 * How many cards somebody means who points at the card with `depth - 1` others on it: these, or
 * as many as a legal move takes; 0 if no legal move starts here.
 * @param {string[]} legal
 * @param {string} pile
 * @param {number} depth
 */
export function countMeant(legal, pile, depth) {
  const counts = countsFrom(legal, pile);
  return counts.filter((count) => count <= depth).pop() ?? counts[0] ?? 0;
}

/**
 * The piles onto which `count` cards of `from` can go. The API lists, of equivalent empty piles,
 * the one with the lowest number; all the others take the cards as well.
 * @param {Pile[]} piles
 * @param {string[]} legal
 * @param {string} from
 * @param {number} count
 */
export function targetsOf(piles, legal, from, count) {
  const isEmpty = (/** @type {Pile} */ pile) => pile.hidden + pile.cards.length === 0;
  const byId = new Map(piles.map((pile) => [pile.id, pile]));
  const listed = legal.map(parseMove).filter((move) => move.from === from && move.count === count);
  return listed.flatMap(({ to }) => {
    const target = byId.get(to ?? "");
    if (!target) return [];
    if (!isEmpty(target)) return [target.id];
    return piles.filter((pile) => pile.kind === target.kind && isEmpty(pile)).map(({ id }) => id);
  });
}

/** @type {PileKind[]} */
const PREFERRED = ["foundation", "tableau", "cell"];

/**
 * The target that a double click means: the only one of the best kind, on cards before on an empty
 * place. Null if there is none, or if there is a choice to make.
 * @param {Pile[]} piles
 * @param {string[]} legal
 * @param {string} from
 * @param {number} count
 */
export function obviousTarget(piles, legal, from, count) {
  const possible = new Set(targetsOf(piles, legal, from, count));
  const targets = piles.filter((pile) => possible.has(pile.id));
  for (const kind of PREFERRED) {
    const alike = targets.filter((pile) => pile.kind === kind);
    const covered = alike.filter((pile) => pile.cards.length > 0);
    if (covered.length > 0) return covered.length === 1 ? (covered[0]?.id ?? null) : null;
    if (alike.length > 0) return alike[0]?.id ?? null;
  }
  return null;
}

/**
 * The legal moves that bring several cards to a foundation at once: they are offered, never taken.
 * @param {Pile[]} piles
 * @param {string[]} legal
 */
export function offers(piles, legal) {
  const foundations = new Set(
    piles.filter(({ kind }) => kind === "foundation").map(({ id }) => id),
  );
  return legal.filter((text) => {
    const { to, count } = parseMove(text);
    return count > 1 && foundations.has(to ?? "");
  });
}

/**
 * Whether a move takes a card off a foundation, back into play.
 * @param {Pile[]} piles
 * @param {string} text
 */
export function takesBack(piles, text) {
  const { from, to } = parseMove(text);
  const kind = (/** @type {string | null} */ id) => piles.find((pile) => pile.id === id)?.kind;
  return kind(from) === "foundation" && kind(to) !== "foundation";
}
