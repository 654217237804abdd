/** The frame of every view: the bar on top, and what is shown while something loads or fails. */

import { Problem } from "../logic/client.mjs";
import { button, h, icon } from "./dom.mjs";
import { library } from "./services.mjs";

/**
 * The bar on top of a view.
 * @param {string | Node} title
 * @param {...Node} tools
 */
export const topBar = (title, ...tools) =>
  h(
    "header",
    { class: "bar" },
    h("a", { class: "brand", href: "#/", "aria-label": "Asterism, all games" }, icon("logo")),
    h("h1", { tabindex: "-1" }, title),
    ...tools,
  );

/** The tools of the views that are not a table. */
const siteTools = () =>
  h(
    "nav",
    { class: "tools", "aria-label": "Views" },
    h("a", { class: "tool", href: "#/games" }, icon("games"), h("span", {}, "My games")),
    h("a", { class: "tool", href: "#/results" }, icon("results"), h("span", {}, "Results")),
    schemeButton(),
  );

/** Switches between light and dark. */
export const schemeButton = () =>
  button("scheme", "Light or dark", () => {
    const isDark =
      getComputedStyle(document.documentElement).colorScheme === "dark" ||
      (!document.documentElement.dataset["scheme"] &&
        matchMedia("(prefers-color-scheme: dark)").matches);
    library.change({ scheme: isDark ? "light" : "dark" });
    applyScheme();
  });

/** Applies the chosen scheme, if one was chosen. */
export function applyScheme() {
  const { scheme } = library.settings;
  if (scheme) document.documentElement.dataset["scheme"] = scheme;
}

/**
 * A whole view with its bar.
 * @param {string} title
 * @param {...(Node | string | null)} children
 */
export const page = (title, ...children) => [topBar(title, siteTools()), content(...children)];

/**
 * The main part of a view that is not a table.
 * @param {...(Node | string | null)} children
 */
export const content = (...children) =>
  h("main", { class: "page", id: "main", tabindex: "-1" }, ...children);

/**
 * What is shown instead of something that could not be loaded.
 * @param {unknown} error
 */
export function failure(error) {
  if (!(error instanceof Problem)) throw error;
  const { title, detail, type } = error.body;
  return h(
    "section",
    { class: "failure", role: "alert" },
    h("h2", {}, title),
    h("p", {}, detail),
    h(
      "p",
      {},
      h("a", { href: type }, "About this problem"),
      " · ",
      h("a", { href: "#/" }, "All games"),
    ),
  );
}

/**
 * A table of figures for people.
 * @param {string} caption
 * @param {string[]} heads
 * @param {(string | Node)[][]} rows
 */
export const dataTable = (caption, heads, rows) =>
  h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h(
        "tbody",
        {},
        ...rows.map(([first = "", ...cells]) =>
          h("tr", {}, h("th", { scope: "row" }, first), ...cells.map((cell) => h("td", {}, cell))),
        ),
      ),
    ),
  );
