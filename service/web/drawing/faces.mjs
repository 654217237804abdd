/** The faces of the cards, drawn once as symbols: plain ones for small cards, full for large. */

import { FACES, rankOnCard } from "../logic/cards.mjs";
import { svg } from "./dom.mjs";

const LEFT = 30;
const MIDDLE = 50;
const RIGHT = 70;
const [TOP, HIGH, CENTER, LOW, BOTTOM] = [53, 70, 87, 104, 121];

/** @type {Record<string, [number, number][]>} where the pips of a number card lie */
const PIPS = {
  2: [
    [MIDDLE, TOP],
    [MIDDLE, BOTTOM],
  ],
  3: [
    [MIDDLE, TOP],
    [MIDDLE, CENTER],
    [MIDDLE, BOTTOM],
  ],
  4: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  5: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [MIDDLE, CENTER],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  6: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [LEFT, CENTER],
    [RIGHT, CENTER],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  7: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [MIDDLE, HIGH],
    [LEFT, CENTER],
    [RIGHT, CENTER],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  8: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [MIDDLE, HIGH],
    [LEFT, CENTER],
    [RIGHT, CENTER],
    [MIDDLE, LOW],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  9: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [LEFT, 76],
    [RIGHT, 76],
    [MIDDLE, CENTER],
    [LEFT, 98],
    [RIGHT, 98],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
  T: [
    [LEFT, TOP],
    [RIGHT, TOP],
    [MIDDLE, 64],
    [LEFT, 76],
    [RIGHT, 76],
    [LEFT, 98],
    [RIGHT, 98],
    [MIDDLE, 110],
    [LEFT, BOTTOM],
    [RIGHT, BOTTOM],
  ],
};

/**
 * A star around (50, 87).
 * @param {number} points
 * @param {number} outer radius
 * @param {number} inner radius
 */
function star(points, outer, inner) {
  const corners = Array.from({ length: points * 2 }, (_, index) => {
    const [angle, radius] = [(Math.PI * index) / points, index % 2 ? inner : outer];
    const [x, y] = [50 + radius * Math.sin(angle), 87 - radius * Math.cos(angle)];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${corners.join("L")}Z`;
}

/**
 * The middle of an ace (a star), a jack (a comet), a queen (the moon) and a king (the sun): the
 * drawing, its opacity, and x, y and size of the pip on it.
 * @type {Record<string, { art: string, opacity: number, pip: [number, number, number] }>}
 */
const COURTS = {
  A: { art: star(8, 43, 27), opacity: 0.16, pip: [50, 87, 40] },
  J: {
    art:
      "M10 50C34 52 56 62 70 76L50 96C34 88 18 72 10 50Z" +
      "M30 47C52 48 70 56 82 70L77 76C63 62 48 53 30 47Z",
    opacity: 0.92,
    pip: [66, 101, 42],
  },
  Q: { art: "M62 50A38 38 0 1 0 62 124A31 31 0 1 1 62 50Z", opacity: 0.92, pip: [63, 87, 32] },
  K: { art: `${star(16, 41, 30)}M50 61a26 26 0 1 0 .1 0Z`, opacity: 0.92, pip: [50, 87, 32] },
};

/** @param {string} suit @param {number} x of its middle @param {number} y @param {number} size */
const pip = (suit, x, y, size) =>
  svg("use", {
    href: `#suit-${suit}`,
    x: x - size / 2,
    y: y - size / 2,
    width: size,
    height: size,
  });

/** @param {string} card @param {number} size @param {number} baseline @param {number} pipSize */
function corner(card, size, baseline, pipSize) {
  const rank = rankOnCard(card);
  const isWide = rank.length > 1;
  const width = size * (isWide ? 0.9 : 0.7);
  const text = svg("text", { x: 7, y: baseline, "font-size": size }, rank);
  if (isWide) text.setAttribute("textLength", String(width));
  if (isWide) text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  return [text, pip(card.slice(1), 7 + width + 6 + pipSize / 2, baseline - size * 0.34, pipSize)];
}

/** @param {string} card */
function fullFace(card) {
  const [rank, suit] = [card.slice(0, 1), card.slice(1)];
  const court = COURTS[rank];
  const pips = (PIPS[rank] ?? []).map(([x, y]) => pip(suit, x, y, 17));
  const center = court
    ? [
        svg("path", { d: court.art, "fill-rule": "evenodd", opacity: court.opacity }),
        pip(suit, ...court.pip),
      ]
    : pips;
  return svg(
    "symbol",
    { id: `full-${card}`, viewBox: "0 0 100 140" },
    ...corner(card, 30, 29, 20),
    ...center,
  );
}

/** @param {string} card */
const plainFace = (card) =>
  svg(
    "symbol",
    { id: `plain-${card}`, viewBox: "0 0 100 140" },
    ...corner(card, 43, 33, 31),
    pip(card.slice(1), 50, 94, 62),
  );

/** Adds the faces to the page's symbols. @param {Element} symbols */
export const drawFaces = (symbols) =>
  symbols.append(...FACES.map(fullFace), ...FACES.map(plainFace));

/** The width in pixels below which cards are drawn plain. */
export const PLAIN_BELOW = 64;

/**
 * A face-up card.
 * @param {string} face
 */
export function cardElement(face) {
  const card = document.createElement("div");
  card.className = "card";
  card.dataset["face"] = face;
  const picture = (/** @type {string} */ kind) =>
    svg("svg", { class: kind, viewBox: "0 0 100 140" }, svg("use", { href: `#${kind}-${face}` }));
  card.append(picture("full"), picture("plain"));
  return card;
}

/** A face-down card: every one is the same element, whatever it hides. */
export function backElement() {
  const card = document.createElement("div");
  card.className = "card back";
  return card;
}
