/** `<card-table>`: draws piles and cards, lets cards travel (FLIP), and marks what can be done. */

import { arrange } from "../logic/geometry.mjs";
import { dealtFrom, matchPlaces, placeId, placesOf } from "../logic/matching.mjs";
import { h } from "./dom.mjs";
import { backElement, cardElement, PLAIN_BELOW } from "./faces.mjs";
import { markCards, markPiles, namePiles, NO_MARKS } from "./marks.mjs";
import { placed, travel, turnUp } from "./travel.mjs";

/** @import { Marks } from "./marks.mjs" */
/** @import { Geometry, Layout, Pile, Place } from "../types.d.ts" */

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
      const button = h("button", {
        type: "button",
        class: "pile",
        "data-pile": id,
        "data-kind": kind,
        tabindex: -1,
      });
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
    const source = dealtFrom(this.piles, piles);
    this.piles = piles;
    this.#measure();
    this.#draw(source);
    this.#name(NO_MARKS);
  }

  /** The top cards of a pile, for a hand. @param {string} pile @param {number} count */
  topCards(pile, count) {
    return this.#drawn.filter(({ place }) => place.pile === pile).slice(-count);
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

  /** @param {string | null} source the pile from which new cards come */
  #draw(source) {
    const before = this.#drawn;
    const places = placesOf(this.piles);
    const old = before.map(({ place }) => place);
    const matches = matchPlaces(old, places);
    const backs = new Set(old.filter(({ face }) => face === null).map(placeId));
    const kept = new Set(matches);
    this.#drawn = places.map((place, index) => {
      const drawn = before[matches[index] ?? -1];
      if (drawn) {
        this.#put(drawn, place, true);
        return drawn;
      }
      const added = this.#add(place);
      if (before.length > 0 && place.face !== null) {
        this.#turnUp(added, backs.has(placeId(place)) ? null : source);
      }
      return added;
    });
    before.forEach(({ element }, index) => kept.has(index) || element.remove());
  }

  /** @param {Place} place */
  #add(place) {
    const element = place.face === null ? backElement() : cardElement(place.face);
    const drawn = { place, element, x: 0, y: 0 };
    this.append(element);
    this.#put(drawn, place, false);
    return drawn;
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
    const isCarried = element.classList.contains("carried");
    const isSeenElsewhere = isCarried || element.getAnimations().length > 0;
    const isMoving = travels && (x !== drawn.x || y !== drawn.y || isCarried);
    const from = isMoving && isSeenElsewhere ? getComputedStyle(element).transform : placed(drawn);
    const isCovered = pile?.offsets.at(-1) === 0 && place.index < pile.offsets.length - 2;
    Object.assign(drawn, { place, x, y });
    element.classList.remove("carried");
    element.classList.toggle("covered", isCovered);
    element.style.transform = placed(drawn);
    element.style.zIndex = String(place.index + 1);
    if (isMoving) travel(element, from, drawn, place.index);
  }

  /**
   * A card is turned up where it lies, or comes face up from another pile.
   * @param {Drawn} drawn
   * @param {string | null} source
   */
  #turnUp(drawn, source) {
    const { place, element } = drawn;
    const start = source ? this.geometry.piles.get(source) : null;
    const column = this.layout?.names.get(place.pile)?.number ?? 0;
    turnUp(element, start ?? drawn, drawn, place.index, start ? column * 25 : 60);
  }

  /** @param {Marks} marks */
  #name(marks) {
    if (this.layout) namePiles(this.buttons, this.layout, this.piles, marks);
  }
}

customElements.define("card-table", CardTable);
