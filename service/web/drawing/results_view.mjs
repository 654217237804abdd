/** `<results-view>`: the daily deals, the results of a day, and figures of all games. */

import { Problem } from "../logic/client.mjs";
import { replayUrl } from "../logic/routes.mjs";
import { timeInWords, titleOf } from "../logic/words.mjs";
import { h } from "./dom.mjs";
import { dataTable, failure, page } from "./frame.mjs";
import { client, library, patiently } from "./services.mjs";

/** @import { Figures, ResultList, Stats } from "../types.d.ts" */

const DAY = 86_400_000; // milliseconds

/** Results and figures. */
export class ResultsView extends HTMLElement {
  connectedCallback() {
    document.title = "Results · Asterism";
    const place = h("div", {}, h("p", { role: "status" }, "Loading …"));
    this.append(...page("Results", place));
    this.#load().then(
      (content) => place.replaceChildren(...content),
      (error) => place.replaceChildren(failure(error)),
    );
  }

  async #load() {
    const { day, items } = await patiently(client.daily);
    const yesterday = new Date(Date.parse(day) - DAY).toISOString().slice(0, 10);
    const { label } = library.settings;
    const [stats, own, ...results] = await Promise.all([
      patiently(() => client.stats({})),
      label ? patiently(() => client.stats({ label })) : null,
      ...items.map(({ variant }) => resultsOf(`${variant}-daily-${yesterday}`)),
    ]);
    return [
      h("p", {}, `Results of a daily deal are shown when its day is over (UTC). Today is ${day}.`),
      ...items.map(({ variant }, index) =>
        resultTable(`${titleOf(variant)}, ${yesterday}`, results[index] ?? null),
      ),
      figureTable("All games begun", stats),
      ...(own && label ? [figureTable(`Games of “${label}”`, own)] : []),
    ];
  }
}

/**
 * The results of a deal; null while they are secret.
 * @param {string} deal
 */
async function resultsOf(deal) {
  try {
    return await patiently(() => client.results(deal));
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** @param {string} caption @param {ResultList | null} results */
function resultTable(caption, results) {
  const rows = (results?.items ?? []).map((result) => [
    result.label ?? "–",
    result.status,
    String(result.moves),
    timeInWords(result.seconds),
    String(result.undos),
    String(result.hints),
    result.ranked ? "yes" : "no",
    // In a column of its own: whatever stands beside a name could be a part of another's.
    result.label_owned ? "yes" : "no",
    result.replay === null
      ? "–"
      : h(
          "a",
          {
            href: replayUrl(result.game_id),
            "aria-label": `Replay of ${result.label ?? "a game without a name"}`,
          },
          "Replay",
        ),
  ]);
  if (rows.length === 0)
    return h("p", { class: "empty" }, h("b", {}, caption), ": nobody finished it.");
  return dataTable(
    caption,
    ["Name", "Result", "Moves", "Time", "Undos", "Hints", "Ranked", "Own name", "Game"],
    rows,
  );
}

/** @type {[keyof Stats["items"][0]["figures"], string][]} */
const GROUPS = [
  ["all", "all"],
  ["ranked", "ranked"],
  ["without_help", "without help"],
  ["with_undo", "with undo"],
  ["with_hints", "with hints"],
];

/** @param {string} caption @param {Stats} stats */
function figureTable(caption, { items }) {
  const row = (/** @type {string} */ name, /** @type {Figures} */ group) => [
    name,
    ...[group.begun, group.won].map(String),
    shareInWords(group.win_rate),
    ...[group.resigned, group.stuck, group.left, group.open].map(String),
    String(group.moves?.median ?? "–"),
    group.seconds ? timeInWords(group.seconds.median) : "–",
  ];
  const rows = items.flatMap(({ variant, figures }) =>
    GROUPS.map(([key, words]) => row(`${titleOf(variant)}, ${words}`, figures[key])),
  );
  return dataTable(
    caption,
    [
      ...["Games", "Begun", "Won", "Share (95 %)", "Resigned", "Stuck", "Left", "Open"],
      ...["Moves (median)", "Time (median)"],
    ],
    rows,
  );
}

/** @param {Figures["win_rate"]} rate */
function shareInWords(rate) {
  if (!rate) return "–";
  const [share, low, high] = [rate.share, rate.low, rate.high].map((n) => Math.round(n * 100));
  return `${share} % (${low} to ${high})`;
}

customElements.define("results-view", ResultsView);
