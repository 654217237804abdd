/** Mouse, finger and pen on the table: clicks and taps, and cards that are dragged. */

import { hit, mostCovered } from "../logic/geometry.mjs";

/** @import { Hand } from "./hand.mjs" */

const SLOP = 6; // pixels that a finger may tremble before it drags
const ON_TOP = 900; // above all cards that lie or travel

/**
 * Lets pointers move cards of the hand's table.
 * @param {Hand} hand
 */
export function takePointers(hand) {
  const { table } = hand;
  /** @type {{ pile: string, index: number, x: number, y: number, id: number } | null} */
  let press = null;
  /** @type {{ cards: ReturnType<typeof table.topCards>, left: number, top: number } | null} */
  let drag = null;
  let wasDragged = false;

  const pointIn = (/** @type {MouseEvent} */ event) => {
    const box = table.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const lift = () => {
    if (!press || !hand.pick(press.pile, press.index) || !hand.selected) return;
    const cards = table.topCards(press.pile, hand.selected.count);
    const first = cards[0];
    if (!first) return;
    drag = { cards, left: first.x, top: first.y };
    table.setPointerCapture(press.id);
    for (const { element, place } of cards) {
      for (const animation of element.getAnimations()) animation.cancel();
      element.classList.add("carried");
      element.style.zIndex = String(ON_TOP + place.index);
    }
  };

  const stop = () => {
    drag = null;
    press = null;
    table.settle();
  };

  table.addEventListener("pointerdown", (event) => {
    wasDragged = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const point = pointIn(event);
    const found = hit(table.geometry, point.x, point.y);
    press = found ? { ...found, ...point, id: event.pointerId } : null;
  });

  table.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const point = pointIn(event);
    const [dx, dy] = [point.x - press.x, point.y - press.y];
    if (!drag && Math.hypot(dx, dy) > SLOP && !wasDragged) {
      wasDragged = true;
      lift();
    }
    if (!drag) return;
    for (const { element, x, y } of drag.cards)
      element.style.transform = `translate(${x + dx}px, ${y + dy}px)`;
    const over = mostCovered(table.geometry, hand.targets, drag.left + dx, drag.top + dy);
    for (const [id, button] of table.buttons) button.toggleAttribute("data-over", id === over);
  });

  table.addEventListener("pointerup", (event) => {
    if (!drag || !press) return void (press = null);
    const point = pointIn(event);
    const over = mostCovered(
      table.geometry,
      hand.targets,
      drag.left + point.x - press.x,
      drag.top + point.y - press.y,
    );
    for (const button of table.buttons.values()) button.removeAttribute("data-over");
    if (over === null || !hand.putOn(over)) hand.drop();
    stop();
  });

  table.addEventListener("pointercancel", () => {
    if (drag) hand.drop();
    stop();
  });

  table.addEventListener("click", (event) => {
    if (wasDragged) return void (wasDragged = false);
    const button = /** @type {HTMLElement} */ (event.target).closest?.("button");
    const point = pointIn(event);
    const isKeyboard = event.detail === 0;
    const found = isKeyboard ? null : hit(table.geometry, point.x, point.y);
    const pile = found?.pile ?? button?.dataset["pile"];
    if (pile) hand.tap(pile, found?.index ?? Infinity, !isKeyboard);
    else hand.drop();
  });
}
