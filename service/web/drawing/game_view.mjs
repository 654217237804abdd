/** `<game-view>`: the table of a game that is played here or, without its token, watched. */

import { Problem } from "../logic/client.mjs";
import { takesBack } from "../logic/moves.mjs";
import { Session } from "../logic/session.mjs";
import { dealInWords, moveInWords } from "../logic/words.mjs";
import { CardTable } from "./card_table.mjs";
import { ask } from "./dialogs.mjs";
import { announce, h } from "./dom.mjs";
import { showEnd } from "./end_panel.mjs";
import { content, failure, topBar } from "./frame.mjs";
import { Hand } from "./hand.mjs";
import { takeKeys } from "./keyboard.mjs";
import { takePointers } from "./pointer.mjs";
import { client, layoutOf, library, patiently } from "./services.mjs";
import { drawLine, lineOf } from "./status_line.mjs";
import { takeShortcuts, toolbarOf } from "./toolbar.mjs";

const HIDDEN_FOR_LONG = 60_000; // milliseconds after which a hidden page ends its stream

/** The view of one game. */
export class GameView extends HTMLElement {
  /** @type {Session | null} */
  #session = null;
  #ending = new AbortController();
  /** @type {Hand | null} */
  #hand = null;
  #status = "";
  #traffic = "";

  /** @param {string} id */
  constructor(id) {
    super();
    this.gameId = id;
  }

  connectedCallback() {
    this.append(topBar("…"), content(h("p", { role: "status" }, "Dealing …")));
    void this.#load();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#session?.end();
  }

  async #load() {
    const stored = library.game(this.gameId);
    const report = (/** @type {string} */ words) =>
      this.querySelector("[role=status]")?.replaceChildren(words);
    try {
      const game = await patiently(() => client.game(this.gameId, stored?.token ?? null), report);
      const layout = await patiently(() => layoutOf(game.variant), report);
      if (this.#ending.signal.aborted) return;
      this.#open(new Session(client, library, layout, game, stored?.token ?? null));
    } catch (error) {
      this.replaceChildren(topBar("Asterism"), content(failure(error)));
      if (error instanceof Problem && error.body.status === 404) library.forget(this.gameId);
    }
  }

  /** @param {Session} session */
  #open(session) {
    this.#session = session;
    const { layout, game } = session;
    const { signal } = this.#ending;
    document.documentElement.dataset["variant"] = game.variant;
    document.title = `${layout.variant.title} · Asterism`;
    const table = new CardTable();
    table.setUp(layout);
    const hand = new Hand({
      table,
      legal: () => session.legalMoves,
      onMove: (move) => void this.#move(move),
      hint: () => session.hint?.move ?? null,
    });
    this.#hand = hand;
    takePointers(hand);
    takeKeys(hand, signal);
    const title = h("span", {}, layout.variant.title, h("small", {}, dealInWords(game.deal)));
    this.line = h("div", { class: "line", role: "region", "aria-label": "State of the game" });
    this.toolbar = toolbarOf(session);
    this.replaceChildren(
      topBar(title, this.toolbar.element),
      h("main", { class: "felt", id: "main" }, table),
      this.line,
    );
    this.#status = game.status;
    session.addEventListener("change", () => this.#draw(session, table));
    session.addEventListener("say", (event) => announce(/** @type {CustomEvent} */ (event).detail));
    addEventListener("online", () => session.queue.retryNow(), { signal });
    this.#watchVisibility(session, signal);
    takeShortcuts(session, signal);
    this.#draw(session, table);
    session.start();
  }

  /** @param {Session} session @param {CardTable} table */
  #draw(session, table) {
    const { game } = session;
    Object.assign(this.dataset, { version: game.version, ply: game.ply, status: game.status });
    table.show(session.piles);
    this.#hand?.mark();
    const line = lineOf(session, { onEnd: () => showEnd(session.game) });
    if (this.line) drawLine(this.line, line);
    const { state } = session.traffic;
    if (state !== this.#traffic && (state === "offline" || state === "waiting"))
      announce(line.words);
    this.#traffic = state;
    this.toolbar?.update();
    const isNew = this.#status !== game.status;
    this.#status = game.status;
    if (isNew && game.status !== "in_progress") showEnd(game);
  }

  /** @param {string} move */
  async #move(move) {
    const session = this.#session;
    if (!session) return;
    if (takesBack(session.piles, move)) {
      const words = moveInWords(session.layout, session.piles, move);
      if (!(await ask("Take back from a foundation?", `This moves ${words}.`, "Take back")))
        return this.#hand?.mark();
    }
    session.play(move);
  }

  /** @param {Session} session @param {AbortSignal} signal */
  #watchVisibility(session, signal) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    document.addEventListener(
      "visibilitychange",
      () => {
        clearTimeout(timer);
        if (document.hidden) timer = setTimeout(() => session.stream.pause(), HIDDEN_FOR_LONG);
        else session.stream.resume();
      },
      { signal },
    );
    signal.addEventListener("abort", () => clearTimeout(timer));
  }
}

customElements.define("game-view", GameView);
