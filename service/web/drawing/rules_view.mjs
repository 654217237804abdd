/** `<rules-view>`: the rules of a variant, as the API gives them. */

import { blocksOf } from "../logic/markdown.mjs";
import { h } from "./dom.mjs";
import { failure, page } from "./frame.mjs";
import { layoutOf, patiently } from "./services.mjs";

/** The rules of one variant. */
export class RulesView extends HTMLElement {
  /** @param {string} variant */
  constructor(variant) {
    super();
    this.variant = variant;
  }

  connectedCallback() {
    const place = h("div", { class: "rules" }, h("p", { role: "status" }, "Loading …"));
    this.append(
      ...page("Rules", h("p", {}, h("a", { href: "#/", on: { click: back } }, "← Back")), place),
    );
    patiently(() => layoutOf(this.variant)).then(
      ({ variant }) => {
        document.title = `Rules of ${variant.title} · Asterism`;
        document.documentElement.dataset["variant"] = variant.name;
        place.replaceChildren(...drawn(variant.rules));
      },
      (error) => place.replaceChildren(failure(error)),
    );
  }
}

/** @param {Event} event */
function back(event) {
  if (history.length < 2) return;
  event.preventDefault();
  history.back();
}

/** @param {string} text */
function drawn(text) {
  /** @type {HTMLElement[]} */
  const elements = [];
  for (const { tag, spans } of blocksOf(text)) {
    const inner = spans.map(({ style, text: words }) =>
      style === "text" ? words : h(style, {}, words),
    );
    if (tag !== "li") {
      elements.push(h(tag === "h1" ? "h2" : tag === "h2" ? "h3" : tag, {}, ...inner));
      continue;
    }
    const last = elements[elements.length - 1];
    if (last?.localName === "ul") last.append(h("li", {}, ...inner));
    else elements.push(h("ul", {}, h("li", {}, ...inner)));
  }
  return elements;
}

customElements.define("rules-view", RulesView);
