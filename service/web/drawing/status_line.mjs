/** The line under the table: how the game stands, what was refused, what can be done about it. */

import { capitalized, countInWords } from "../logic/layout.mjs";
import { offers } from "../logic/moves.mjs";
import { rulesUrl } from "../logic/routes.mjs";
import { moveInWords } from "../logic/words.mjs";
import { h } from "./dom.mjs";

/** @import { Session } from "../logic/session.mjs" */

/** @typedef {{ tone: string, words: string, actions: HTMLElement[] }} Line */

/** @param {string} words @param {() => void} act */
const action = (words, act) =>
  h("button", { type: "button", class: "small", on: { click: act } }, words);

/** @param {string} words @param {string} href */
const link = (words, href) =>
  h(
    "a",
    {
      class: "small",
      href,
      ...(href.startsWith("#") ? {} : { target: "_blank", rel: "noopener" }),
    },
    words,
  );

/**
 * What the line says about a game now.
 * @param {Session} session
 * @param {{ onEnd: () => void }} options
 * @returns {Line}
 */
export function lineOf(session, { onEnd }) {
  const { game, traffic, problem, hint } = session;
  if (traffic.state === "offline") {
    return {
      tone: "warning",
      words: "Offline. Your move is kept, and sent when the connection is back.",
      actions: [action("Try now", () => session.queue.retryNow())],
    };
  }
  if (traffic.state === "waiting") {
    return {
      tone: "warning",
      words: `The service is busy. Trying again in ${traffic.seconds} s.`,
      actions: [],
    };
  }
  if (problem) {
    const rule = problem["rule"] ? [link("The rules", rulesUrl(game.variant))] : [];
    const why = problem.type.startsWith("about:") ? [] : [link("Why", problem.type)];
    return {
      tone: "warning",
      words: `${problem.title}. ${problem.detail}`,
      actions: [...rule, ...why],
    };
  }
  if (game.status !== "in_progress") {
    const words =
      game.status === "won" ? `Won in ${countInWords(game.counters.moves, "move")}.` : "Resigned.";
    return { tone: "good", words, actions: [action("What next?", onEnd)] };
  }
  if (hint) return hintLine(session, hint);
  if (game.stuck) {
    const actions = session.token
      ? [
          action("Undo", () => session.undo()),
          action("Where was it lost?", () => session.askHint()),
        ]
      : [];
    return { tone: "warning", words: "Stuck: no move is left. Only an undo can help.", actions };
  }
  const offered = offers(session.piles, session.legalMoves)[0];
  if (offered) {
    const words = `A whole run is ready: ${moveInWords(session.layout, session.piles, offered)}.`;
    return { tone: "good", words, actions: [action("Take it off", () => session.play(offered))] };
  }
  return {
    tone: session.traffic.state === "sending" ? "slow" : "",
    words: counters(session),
    actions: [],
  };
}

/**
 * @param {Session} session
 * @param {NonNullable<Session["hint"]>} hint
 * @returns {Line}
 */
function hintLine(session, { move, why, undo_steps: steps, verdict }) {
  if (steps) {
    return {
      tone: "warning",
      words: why,
      actions: [action(`Undo ${steps}`, () => session.undo(steps))],
    };
  }
  const words = move
    ? `${capitalized(moveInWords(session.layout, session.piles, move))}. ${why}`
    : why;
  const actions = move ? [action("Play it", () => session.play(move))] : [];
  return { tone: verdict === "unwinnable" ? "warning" : "hint", words, actions };
}

/** @param {Session} session */
function counters({ game, token }) {
  const {
    counters: { undos, hints },
    ply,
  } = game;
  const parts = [
    ply ? countInWords(ply, "move") : "no moves yet",
    undos ? countInWords(undos, "undo") : "",
    hints ? countInWords(hints, "hint") : "",
  ];
  return `${token ? "" : "Watching. "}${capitalized(parts.filter(Boolean).join(", "))}.`;
}

/**
 * Draws a line into its place, if it has changed.
 * @param {HTMLElement} place
 * @param {Line} line
 */
export function drawLine(place, { tone, words, actions }) {
  const text = `${tone}|${words}|${actions.map(({ textContent }) => textContent).join("|")}`;
  if (place.dataset["line"] === text) return;
  place.dataset["line"] = text;
  place.dataset["tone"] = tone;
  place.replaceChildren(h("div", {}, h("p", {}, words), ...actions));
}
