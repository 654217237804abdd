/** Views and their URLs: the part after `#`, which no server sees. */

/**
 * @typedef {{ view: "home" | "games" | "results" }} Place
 * @typedef {{ view: "game" | "replay", id: string, ply: number | null }} GamePlace
 * @typedef {{ view: "rules", variant: string }} RulesPlace
 * @typedef {Place | GamePlace | RulesPlace} Route
 */

/**
 * The view that a fragment names; the home view if it names none.
 * @param {string} fragment with or without its `#`
 * @returns {Route}
 */
export function parseRoute(fragment) {
  const [view, name = "", ply] = fragment.replace(/^#?\/?/, "").split("/");
  if (view === "games" || view === "results") return { view };
  if (view === "rules" && /^[a-z-]+$/.test(name)) return { view, variant: name };
  if ((view === "game" || view === "replay") && /^[a-z2-7]{26}$/.test(name)) {
    return { view, id: name, ply: /^[0-9]{1,5}$/.test(ply ?? "") ? Number(ply) : null };
  }
  return { view: "home" };
}

/** @param {string} id */
export const gameUrl = (id) => `#/game/${id}`;

/** @param {string} id @param {number | null} [ply] */
export const replayUrl = (id, ply = null) => `#/replay/${id}${ply === null ? "" : `/${ply}`}`;

/** @param {string} variant */
export const rulesUrl = (variant) => `#/rules/${variant}`;
