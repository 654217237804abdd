/** How cards travel and are turned up: Web Animations, which no input has to wait for. */

import { isStill } from "./dom.mjs";

/** @typedef {{ x: number, y: number }} Point */

const TRAVEL = { duration: 220, easing: "cubic-bezier(.2,.8,.2,1)" };
const OVER = 200; // above all cards that lie

/** @param {Point} point */
export const placed = ({ x, y }) => `translate(${x}px, ${y}px)`;

/**
 * Lets a card travel from where it is seen now.
 * @param {HTMLElement} element
 * @param {string} from a transform
 * @param {Point} to
 * @param {number} depth of its place
 */
export function travel(element, from, to, depth) {
  if (isStill()) return;
  const seen = { zIndex: OVER + depth, visibility: "visible" };
  const frames = [from, placed(to)].map((transform) => ({ transform, ...seen }));
  element.animate(frames, TRAVEL);
}

/**
 * Turns a card up where it lies or, if it comes from elsewhere, on its way.
 * @param {HTMLElement} element
 * @param {Point} from
 * @param {Point} to
 * @param {number} depth of its place
 * @param {number} delay in milliseconds
 */
export function turnUp(element, from, to, depth, delay) {
  if (isStill()) return;
  const zIndex = OVER + depth;
  const frames = [
    { transform: `${placed(from)} rotateY(90deg)`, zIndex },
    { transform: `${placed(to)} rotateY(0deg)`, zIndex },
  ];
  element.animate(frames, { ...TRAVEL, delay, fill: "backwards" });
}
