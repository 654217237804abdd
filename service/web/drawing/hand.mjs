/** The hand on the table: what is picked up, by pointer or keyboard, and where it is put down. */

import {
  countMeant,
  countsFrom,
  DEAL,
  formatMove,
  obviousTarget,
  parseMove,
  targetsOf,
} from "../logic/moves.mjs";

/** @import { CardTable } from "./card_table.mjs" */

const DOUBLE = 350; // milliseconds between two taps that are one double tap

/** Picks up and puts down; what a move is comes from the list of legal moves alone. */
export class Hand {
  /** @type {{ from: string, count: number } | null} */
  selected = null;
  #lastTap = { pile: "", time: 0 };

  /**
   * @param {object} options
   * @param {CardTable} options.table
   * @param {() => string[]} options.legal the legal moves now
   * @param {(move: string) => void} options.onMove
   * @param {() => string | null} options.hint the hinted move
   */
  constructor({ table, legal, onMove, hint }) {
    this.table = table;
    this.legal = legal;
    this.onMove = onMove;
    this.hint = hint;
  }

  /** The piles that take what is picked up. */
  get targets() {
    if (!this.selected) return new Set();
    return new Set(
      targetsOf(this.table.piles, this.legal(), this.selected.from, this.selected.count),
    );
  }

  /** Marks on the table what can be done now. */
  mark() {
    if (this.targets.size === 0) this.selected = null;
    const sources = new Set(this.legal().map((move) => parseMove(move).from));
    const hint = this.hint();
    this.table.mark({
      sources,
      selected: this.selected,
      targets: this.targets,
      hint: hint ? parseMove(hint) : null,
    });
  }

  /**
   * Picks up the cards meant by pointing at one; false if none of them can move.
   * @param {string} pile
   * @param {number} index of the card, from the bottom
   */
  pick(pile, index) {
    const count = countMeant(this.legal(), pile, Math.max(1, this.#total(pile) - index));
    this.selected = count > 0 ? { from: pile, count } : null;
    this.mark();
    return count > 0;
  }

  /** Picks up more or fewer cards of the same pile. @param {1 | -1} direction */
  change(direction) {
    if (!this.selected) return;
    const counts = countsFrom(this.legal(), this.selected.from);
    const next = counts[counts.indexOf(this.selected.count) + direction];
    if (next !== undefined) this.selected = { from: this.selected.from, count: next };
    this.mark();
  }

  /** Puts back what was picked up. */
  drop() {
    this.selected = null;
    this.mark();
  }

  /** Moves what is picked up onto a pile; false if it does not go there. @param {string} pile */
  putOn(pile) {
    const { selected } = this;
    if (!selected || !this.targets.has(pile)) return false;
    this.selected = null;
    this.onMove(formatMove(selected.from, pile, selected.count));
    return true;
  }

  /** Makes the obvious move of what is picked up; false if there is none. */
  moveObviously() {
    if (!this.selected) return false;
    const target = obviousTarget(
      this.table.piles,
      this.legal(),
      this.selected.from,
      this.selected.count,
    );
    return target !== null && this.putOn(target);
  }

  /**
   * A click, a tap or Enter on a pile: picks up, puts down or, twice, makes the obvious move.
   * @param {string} pile
   * @param {number} index of the card, from the bottom
   * @param {boolean} [canBeDouble]
   */
  tap(pile, index, canBeDouble = true) {
    const time = performance.now();
    const isDouble =
      canBeDouble && this.#lastTap.pile === pile && time - this.#lastTap.time < DOUBLE;
    this.#lastTap = { pile, time };
    if (this.#deals(pile)) return this.onMove(DEAL);
    if (this.selected && isDouble && this.moveObviously()) return;
    if (this.selected && this.putOn(pile)) return;
    if (this.selected?.from === pile && !isDouble) return this.drop();
    this.pick(pile, index);
  }

  /** @param {string} pile */
  #deals(pile) {
    return this.legal().includes(DEAL) && parseMove(DEAL).from === pile;
  }

  /** @param {string} pile */
  #total(pile) {
    const found = this.table.piles.find(({ id }) => id === pile);
    return found ? found.hidden + found.cards.length : 0;
  }
}
