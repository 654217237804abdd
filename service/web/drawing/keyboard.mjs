/** The keyboard on the table: arrows walk over the piles, Enter picks up and puts down. */

/** @import { Hand } from "./hand.mjs" */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Lets the keyboard move cards of the hand's table. Enter itself is a click on a pile's button.
 * @param {Hand} hand
 * @param {AbortSignal} signal ends it
 */
export function takeKeys(hand, signal) {
  const { table } = hand;

  const focus = (/** @type {string} */ pile) => {
    for (const [id, button] of table.buttons) button.tabIndex = id === pile ? 0 : -1;
    table.buttons.get(pile)?.focus();
  };

  const enter = (/** @type {KeyboardEvent} */ event) => {
    if (event.target !== document.body || !ARROWS[event.key]) return;
    event.preventDefault();
    [...table.buttons.values()].find(({ tabIndex }) => tabIndex === 0)?.focus();
  };
  document.addEventListener("keydown", enter, { signal });

  table.addEventListener("focusin", (event) => {
    const pile = /** @type {HTMLElement} */ (event.target).dataset["pile"];
    for (const [id, button] of table.buttons) button.tabIndex = id === pile ? 0 : -1;
  });

  table.addEventListener("keydown", (event) => {
    const pile = /** @type {HTMLElement} */ (event.target).dataset["pile"];
    if (!pile || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey && arrow[1]) hand.change(arrow[1] < 0 ? 1 : -1);
    else if (arrow) focus(next(pile, arrow));
    else if (event.key === "+" || event.key === "-") hand.change(event.key === "+" ? 1 : -1);
    else if (event.key === "Escape") hand.drop();
    else if (event.key === "Enter" && event.shiftKey) {
      if (hand.selected || hand.pick(pile, Infinity)) hand.moveObviously();
    } else return;
    event.preventDefault();
  });

  /**
   * Where an arrow leads: with cards picked up, to the next pile that takes them or back to their
   * own; else left and right to the next pile in order, up and down to the nearest one there.
   */
  function next(/** @type {string} */ pile, /** @type {[number, number]} */ [dx, dy]) {
    const { selected, targets } = hand;
    if (!selected && dy) return nearest(pile, dy);
    const stops = [...table.buttons.keys()].filter(
      (id) => !selected || targets.has(id) || id === selected.from,
    );
    return stops[(stops.indexOf(pile) + dx + dy + stops.length) % stops.length] ?? pile;
  }

  /** The nearest pile above (-1) or below (1); the same one at the edge. */
  function nearest(/** @type {string} */ pile, /** @type {number} */ dy) {
    const here = table.geometry.piles.get(pile);
    let [best, least] = [pile, Infinity];
    for (const [id, { x, y }] of table.geometry.piles) {
      const [along, aside] = [(y - (here?.y ?? 0)) * dy, Math.abs(x - (here?.x ?? 0))];
      if (along > 1 && along + aside * 3 < least) [best, least] = [id, along + aside * 3];
    }
    return best;
  }
}
