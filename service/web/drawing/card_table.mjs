/** `<card-table>`: draws piles and cards, lets cards travel (FLIP), and marks what can be done. */

import { arrange } from "../logic/geometry.mjs";
import { matchPlaces, placesOf } from "../logic/matching.mjs";
import { h, isStill } from "./dom.mjs";
import { backElement, cardElement, PLAIN_BELOW } from "./faces.mjs";
import { markCards, markPiles, namePiles, NO_MARKS } from "./marks.mjs";

/** @import { Marks } from "./marks.mjs" */
/** @import { Geometry, Layout, Pile, Place } from "../types.d.ts" */

const TRAVEL = { duration: 220, easing: "cubic-bezier(.2,.8,.2,1)" };

/** @typedef {{ place: Place, element: HTMLElement, x: number, y: number }} Drawn */

/** The table of one game. */
export class CardTable extends HTMLElement {
  /** @type {Layout | null} */
  layout = null;
  /** @type {Pile[]} */
  piles = [];
  /** @type {Geometry} */
  geometry = { card: { width: 0, height: 0 }, height: 0, piles: new Map() };
  /** @type {Drawn[]} */
  #drawn = [];
  /** @type {Map<string, HTMLButtonElement>} */
  buttons = new Map();
  #observer = new ResizeObserver(() => this.#resize());
  #size = { width: 0, height: 0 };

  connectedCallback() {
    this.#observer.observe(this.parentElement ?? this);
  }

  disconnectedCallback() {
    this.#observer.disconnect();
  }

  /**
   * Shows the empty piles of a layout.
   * @param {Layout} layout
   */
  setUp(layout) {
    this.layout = layout;
    this.dataset["variant"] = layout.variant.name;
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `The table of ${layout.variant.title}`);
    for (const { id, kind } of layout.names.values()) {
      const button = h("button", { type: "button", class: "pile", "data-pile": id, "data-kind": kind, tabindex: -1 });
      this.buttons.set(id, button);
    }
    const buttons = [...this.buttons.values()];
    buttons[0]?.setAttribute("tabindex", "0");
    this.replaceChildren(...buttons);
  }

  /**
   * Shows these piles; cards that changed place travel there.
   * @param {Pile[]} piles
   */
  show(piles) {
    if (piles === this.piles) return;
    const lost = new Set(piles.filter(({ id, hidden }, index) => this.piles[index]?.id === id && hidden < (this.piles[index]?.hidden ?? 0)).map(({ id }) => id));
    this.piles = piles;
    this.#measure();
    this.#draw(lost);
    this.#name(NO_MARKS);
  }

  /** The element of a card, for a hand that carries it. @param {string} pile @param {number} index */
  cardsFrom(pile, index) {
    return this.#drawn.filter(({ place }) => place.pile === pile && place.index >= index);
  }

  /** Puts every card where it belongs, from wherever it was carried. */
  settle() {
    for (const drawn of this.#drawn) this.#put(drawn, drawn.place, true);
  }

  /** Lights what can be done. @param {Marks} marks */
  mark(marks) {
    markPiles(this.buttons, marks);
    markCards(this.#drawn, this.piles, marks);
    this.#name(marks);
  }

  #resize() {
    const box = (this.parentElement ?? this).getBoundingClientRect();
    if (box.width === this.#size.width && box.height === this.#size.height) return;
    this.#size = { width: Math.floor(box.width), height: Math.floor(box.height) };
    this.#measure();
    for (const drawn of this.#drawn) this.#put(drawn, drawn.place, false);
  }

  #measure() {
    if (!this.layout || this.#size.width === 0) return;
    this.geometry = arrange(this.layout, this.piles, this.#size);
    const { card, height, piles } = this.geometry;
    this.style.setProperty("--card-width", `${card.width}px`);
    this.style.setProperty("--card-height", `${card.height}px`);
    this.style.height = `${height}px`;
    this.toggleAttribute("data-plain", card.width < PLAIN_BELOW);
    for (const [id, button] of this.buttons) {
      const place = piles.get(id);
      if (!place) continue;
      button.style.left = `${place.x}px`;
      button.style.top = `${place.y}px`;
      button.style.width = `${place.width}px`;
      button.style.height = `${place.height}px`;
    }
  }

  /** @param {Set<string>} lost piles that have fewer face-down cards than before */
  #draw(lost) {
    const before = this.#drawn;
    const places = placesOf(this.piles).filter((place) => this.#isDrawn(place));
    const matches = matchPlaces(before.map(({ place }) => place), places);
    const backs = new Set(before.filter(({ place }) => place.face === null).map(({ place }) => `${place.pile}:${place.index}`));
    const kept = new Set(matches);
    const isFirst = before.length === 0;
    this.#drawn = places.map((place, index) => {
      const old = before[matches[index] ?? -1];
      if (old) {
        this.#put(old, place, true);
        return old;
      }
      const element = place.face === null ? backElement() : cardElement(place.face);
      const drawn = { place, element, x: 0, y: 0 };
      this.append(element);
      this.#put(drawn, place, false);
      if (!isFirst && place.face !== null) this.#turnUp(drawn, backs.has(`${place.pile}:${place.index}`) ? null : ([...lost][0] ?? null));
      return drawn;
    });
    before.forEach(({ element }, index) => kept.has(index) || element.remove());
  }

  /** Whether a card is drawn: of the face-down ones in a pile that is not spread, only the last. */
  #isDrawn(/** @type {Place} */ { pile, index, face }) {
    const found = this.piles.find(({ id }) => id === pile);
    return face !== null || found?.kind === "tableau" || (found !== undefined && index === found.hidden - 1);
  }

  /** @param {string} pile */
  #total(pile) {
    const found = this.piles.find(({ id }) => id === pile);
    return found ? found.hidden + found.cards.length : 0;
  }

  /**
   * Puts a card at a place; it travels there from where it is seen now.
   * @param {Drawn} drawn
   * @param {Place} place
   * @param {boolean} travels
   */
  #put(drawn, place, travels) {
    const { element } = drawn;
    const pile = this.geometry.piles.get(place.pile);
    const [x, y] = [pile?.x ?? 0, (pile?.y ?? 0) + (pile?.offsets[place.index] ?? 0)];
    const to = `translate(${x}px, ${y}px)`;
    const isCarried = element.classList.contains("carried");
    const isMoving = travels && (x !== drawn.x || y !== drawn.y || isCarried);
    const from = isMoving && (isCarried || element.getAnimations().length > 0) ? getComputedStyle(element).transform : `translate(${drawn.x}px, ${drawn.y}px)`;
    const isCovered = pile?.offsets.at(-1) === 0 && place.index < this.#total(place.pile) - 2;
    Object.assign(drawn, { place, x, y });
    element.classList.remove("carried");
    element.classList.toggle("covered", isCovered);
    element.style.transform = to;
    element.style.zIndex = String(place.index + 1);
    if (!isMoving || isStill()) return;
    const [over, visibility] = [200 + place.index, "visible"];
    element.animate([{ transform: from, zIndex: over, visibility }, { transform: to, zIndex: over, visibility }], TRAVEL);
  }

  /**
   * A card is turned up where it lies, or comes face up from another pile.
   * @param {Drawn} drawn
   * @param {string | null} origin
   */
  #turnUp({ element, x, y, place }, origin) {
    if (isStill()) return;
    const start = origin ? this.geometry.piles.get(origin) : null;
    const at = (/** @type {{x: number, y: number}} */ point, /** @type {number} */ angle) => `translate(${point.x}px, ${point.y}px) rotateY(${angle}deg)`;
    const over = 200 + place.index;
    element.animate(
      [{ transform: at(start ?? { x, y }, 90), zIndex: over }, { transform: at({ x, y }, 0), zIndex: over }],
      { ...TRAVEL, delay: start ? (this.layout?.names.get(place.pile)?.number ?? 0) * 25 : 60, fill: "backwards" },
    );
  }

  /** @param {Marks} marks */
  #name(marks) {
    if (this.layout) namePiles(this.buttons, this.layout, this.piles, marks);
  }
}

customElements.define("card-table", CardTable);
