/** Makes elements: the one way in which the page builds its views. */

/**
 * @typedef {Record<string, unknown> & { on?: Record<string, (event: any) => void> }} Attributes
 * @typedef {Node | string | null | false | undefined} Child
 */

/**
 * An element with attributes, listeners (`on`) and children. `true` sets an empty attribute; false,
 * null and undefined set none.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, { on = {}, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  element.append(
    ...children.filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A symbol of the page as a picture that says nothing to a screen reader.
 * @param {string} name
 */
export const icon = (name) =>
  svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("use", { href: `#icon-${name}` }),
  );

/**
 * A button with a symbol, words and a key that does the same.
 * @param {string} name of the symbol
 * @param {string} words
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export const button = (name, words, act, attributes = {}) =>
  h(
    "button",
    { type: "button", class: "tool", on: { click: act }, ...attributes },
    icon(name),
    h("span", {}, words),
  );

/**
 * Says something to a screen reader; the same words twice are said twice.
 * @param {string} words
 */
export function announce(words) {
  const live = document.getElementById("live");
  if (!live) return;
  const text = words.slice(0, 1).toUpperCase() + words.slice(1);
  while (live.childElementCount > 5) live.firstElementChild?.remove();
  live.append(h("p", {}, text));
}

/** Whether movement on the screen is unwelcome. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
