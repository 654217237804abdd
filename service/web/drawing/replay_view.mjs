/** `<replay-view>`: a game move by move, with a slider, and a link to any of its plies. */

import { capitalized } from "../logic/layout.mjs";
import { replayUrl } from "../logic/routes.mjs";
import { positionsOf, revealsByMove } from "../logic/table.mjs";
import { moveInWords } from "../logic/words.mjs";
import { CardTable } from "./card_table.mjs";
import { create } from "./creation.mjs";
import { share } from "./dialogs.mjs";
import { announce, button, h } from "./dom.mjs";
import { content, failure, topBar } from "./frame.mjs";
import { NO_MARKS } from "./marks.mjs";
import { client, layoutOf, library, patiently } from "./services.mjs";

/** @import { Layout, Pile, Replay } from "../types.d.ts" */

const PACE = 600; // milliseconds a move

/** The replay of one game. */
export class ReplayView extends HTMLElement {
  /** @type {Pile[][]} the table at the start, and after each move */
  #positions = [];
  /** @type {string[]} each position in words */
  #words = [];
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #ply = 0;
  #table = new CardTable();
  #text = h("p", { class: "replay-words" });
  #slider = h("input", {
    type: "range",
    min: 0,
    "aria-label": "Move",
    on: { input: () => this.#go(Number(this.#slider.value)) },
  });
  #play = button("play", "Play", () => this.#toggle(), { "aria-pressed": "false" });

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
    const reveals = revealsByMove(replay);
    this.#positions = positionsOf(replay);
    this.#words = this.#positions.map((_, ply) => {
      const [before, move] = [this.#positions[ply - 1], replay.moves[ply - 1]];
      return before && move
        ? capitalized(moveInWords(layout, before, move, reveals[ply - 1]))
        : "The deal.";
    });
    this.#table.setUp(layout);
    this.#table.inert = true;
    this.#slider.max = String(this.#last);
    const title = h("span", {}, layout.variant.title, h("small", {}, "replay"));
    this.replaceChildren(
      topBar(title, h("div", { class: "tools" }, ...this.#tools(replay))),
      h("main", { class: "felt", id: "main" }, this.#table),
      h(
        "div",
        { class: "line replay", role: "region", "aria-label": "Replay" },
        this.#text,
        this.#slider,
        h("div", { class: "tools" }, ...this.#controls()),
      ),
    );
    this.#go(this.firstPly);
  }

  /** What can be done with the replay as a whole. @param {Replay} replay */
  #tools(replay) {
    const url = () => new URL(replayUrl(this.gameId, this.#ply), location.href).href;
    const sharing = button("share", "Share", () => share("A game of Asterism", url()));
    const { variant, deal, moves } = replay;
    const isWhole = "number" in deal || "server_seed" in deal;
    const fork = () =>
      create({ variant, deal: { replay: { variant, deal, moves }, ply: this.#ply } });
    const forking = button("fork", "Play from here", () => void fork().catch(announceError));
    return isWhole ? [sharing, forking] : [sharing];
  }

  #controls() {
    const step = (
      /** @type {string} */ name,
      /** @type {string} */ words,
      /** @type {() => number} */ ply,
    ) =>
      button(name, words, () => {
        this.#stop();
        this.#go(ply());
      });
    return [
      step("first", "Start", () => 0),
      step("undo", "Back", () => this.#ply - 1),
      this.#play,
      step("redo", "Next", () => this.#ply + 1),
      step("last", "End", () => this.#last),
    ];
  }

  get #last() {
    return this.#positions.length - 1;
  }

  /** Shows the table after a move. @param {number} ply */
  #go(ply) {
    this.#ply = Math.max(0, Math.min(this.#last, ply));
    const [count, words] = [`${this.#ply} of ${this.#last}`, this.#words[this.#ply] ?? ""];
    this.#slider.value = String(this.#ply);
    this.#slider.setAttribute("aria-valuetext", `${count}: ${words}`);
    this.#text.replaceChildren(h("b", {}, count), ` ${words}`);
    this.#table.show(this.#positions[this.#ply] ?? []);
    this.#table.mark(NO_MARKS);
    if (this.#ply === this.#last) this.#stop();
  }

  /** Plays on by itself, from the start if it is at the end; or stops. */
  #toggle() {
    if (this.#timer) return this.#stop();
    this.#play.setAttribute("aria-pressed", "true");
    this.#timer = setInterval(() => this.#go(this.#ply + 1), PACE);
    this.#go(this.#ply === this.#last ? 0 : this.#ply + 1);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#play.setAttribute("aria-pressed", "false");
  }
}

/** @param {Error} error */
const announceError = (error) => announce(error.message);

customElements.define("replay-view", ReplayView);
