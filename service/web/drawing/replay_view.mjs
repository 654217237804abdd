/** `<replay-view>`: a game move by move, with a slider, and a link to any of its plies. */

import { replayUrl } from "../logic/routes.mjs";
import { positionsOf, revealsByMove } from "../logic/table.mjs";
import { capitalized } from "../logic/layout.mjs";
import { moveInWords } from "../logic/words.mjs";
import { CardTable } from "./card_table.mjs";
import { share } from "./dialogs.mjs";
import { announce, button, h } from "./dom.mjs";
import { content, failure, topBar } from "./frame.mjs";
import { NO_MARKS } from "./marks.mjs";
import { create } from "./new_game.mjs";
import { client, layoutOf, library, patiently } from "./services.mjs";

/** @import { Layout, Pile, Replay, ReplayRequest, Reveal } from "../types.d.ts" */

const PACE = 600; // milliseconds a move

/** The replay of one game. */
export class ReplayView extends HTMLElement {
  /** @type {Pile[][]} */
  #positions = [];
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #ply = 0;

  /** @param {string} id @param {number | null} ply the one to show first; null for the start */
  constructor(id, ply) {
    super();
    this.gameId = id;
    this.firstPly = ply ?? 0;
  }

  connectedCallback() {
    this.append(topBar("Replay"), content(h("p", { role: "status" }, "Loading …")));
    this.#load().catch((error) => this.replaceChildren(topBar("Replay"), content(failure(error))));
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async #load() {
    const token = library.game(this.gameId)?.token ?? null;
    const replay = await patiently(() => client.replay(this.gameId, token));
    const layout = await patiently(() => layoutOf(replay.variant));
    if (this.isConnected) this.#open(replay, layout);
  }

  /** @param {Replay} replay @param {Layout} layout */
  #open(replay, layout) {
    document.documentElement.dataset["variant"] = replay.variant;
    document.title = `Replay of ${layout.variant.title} · Asterism`;
    this.#positions = positionsOf(replay);
    const reveals = revealsByMove(replay);
    const last = replay.moves.length;
    const table = new CardTable();
    table.setUp(layout);
    table.inert = true;
    const slider = h("input", {
      type: "range",
      min: 0,
      max: last,
      value: 0,
      "aria-label": "Move",
      on: { input: () => go(Number(slider.value)) },
    });
    const words = h("p", { class: "replay-words" });
    const play = button("play", "Play", () => this.#run(() => go(this.#ply + 1), last), {
      "aria-pressed": "false",
    });
    this.play = play;

    const go = (/** @type {number} */ ply) => {
      this.#ply = Math.max(0, Math.min(last, ply));
      slider.value = String(this.#ply);
      const move = replay.moves[this.#ply - 1];
      const before = this.#positions[this.#ply - 1] ?? replay.start;
      const text = move
        ? capitalized(
            moveInWords(layout, before, move, /** @type {Reveal[]} */ (reveals[this.#ply - 1])),
          )
        : "The deal.";
      words.replaceChildren(h("b", {}, `${this.#ply} of ${last}`), ` ${text}`);
      slider.setAttribute("aria-valuetext", `${this.#ply} of ${last}: ${text}`);
      table.show(this.#positions[this.#ply] ?? replay.start);
      table.mark(NO_MARKS);
      if (this.#ply === last) this.#stop();
    };
    const step = (
      /** @type {string} */ name,
      /** @type {string} */ label,
      /** @type {() => number} */ ply,
    ) => button(name, label, () => (this.#stop(), go(ply())));
    const isWhole = "number" in replay.deal || "server_seed" in replay.deal;
    const fork = () =>
      create({ variant: replay.variant, deal: { replay: forkable(replay), ply: this.#ply } });
    const url = () => new URL(replayUrl(this.gameId, this.#ply), location.href).href;
    this.replaceChildren(
      topBar(
        h("span", {}, layout.variant.title, h("small", {}, "replay")),
        h(
          "div",
          { class: "tools" },
          button("share", "Share", () => share("A game of Asterism", url())),
          isWhole
            ? button(
                "fork",
                "Play from here",
                () => void fork().catch((error) => announce(error.message)),
              )
            : "",
        ),
      ),
      h("main", { class: "felt", id: "main" }, table),
      h(
        "div",
        { class: "line replay", role: "region", "aria-label": "Replay" },
        words,
        slider,
        h(
          "div",
          { class: "tools" },
          step("first", "Start", () => 0),
          step("undo", "Back", () => this.#ply - 1),
          play,
          step("redo", "Next", () => this.#ply + 1),
          step("last", "End", () => last),
        ),
      ),
    );
    go(this.firstPly);
  }

  /** Plays on, or stops. @param {() => void} next @param {number} last */
  #run(next, last) {
    if (this.#timer) return this.#stop();
    if (this.#ply === last) this.#ply = -1;
    this.play?.setAttribute("aria-pressed", "true");
    this.#timer = setInterval(next, PACE);
    next();
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.play?.setAttribute("aria-pressed", "false");
  }
}

/** A replay as the body of a request. @param {Replay} replay @returns {ReplayRequest} */
const forkable = ({ variant, deal, moves }) => ({ variant, deal, moves });

customElements.define("replay-view", ReplayView);
