/** `<game-view>`: the table of a game that is played here or, without its token, watched. */

import { Problem } from "../logic/client.mjs";
import { DEAL, takesBack } from "../logic/moves.mjs";
import { gameUrl, replayUrl, rulesUrl } from "../logic/routes.mjs";
import { Session } from "../logic/session.mjs";
import { dealInWords, moveInWords } from "../logic/words.mjs";
import { CardTable } from "./card_table.mjs";
import { ask, openDialog, share } from "./dialogs.mjs";
import { announce, button, h } from "./dom.mjs";
import { showEnd } from "./end_panel.mjs";
import { content, failure, schemeButton, topBar } from "./frame.mjs";
import { Hand } from "./hand.mjs";
import { takeKeys } from "./keyboard.mjs";
import { startNewGame } from "./new_game.mjs";
import { takePointers } from "./pointer.mjs";
import { client, layoutOf, library, patiently } from "./services.mjs";
import { drawLine, lineOf } from "./status_line.mjs";

const HIDDEN_FOR_LONG = 60_000; // milliseconds after which a hidden page ends its stream

/** The view of one game. */
export class GameView extends HTMLElement {
  /** @type {Session | null} */
  #session = null;
  #ending = new AbortController();
  /** @type {Hand | null} */
  #hand = null;
  #status = "";

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
    const report = (/** @type {string} */ words) => this.querySelector("[role=status]")?.replaceChildren(words);
    try {
      const game = await patiently(() => client.game(this.gameId, stored?.token ?? null), report);
      const layout = await patiently(() => layoutOf(game.variant), report);
      if (this.#ending.signal.aborted) return;
      this.#open(new Session({ client, library, layout, game, token: stored?.token ?? null }));
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
    const hand = new Hand({ table, legal: () => session.legalMoves, onMove: (move) => void this.#move(move), hint: () => session.hint?.move ?? null });
    this.#hand = hand;
    takePointers(hand);
    takeKeys(hand);
    const title = h("span", {}, layout.variant.title, h("small", {}, dealInWords(game.deal)));
    this.line = h("div", { class: "line", role: "region", "aria-label": "State of the game" });
    this.tools = this.#tools(session);
    this.replaceChildren(
      topBar(title, this.tools),
      h("main", { class: "felt", id: "main" }, table),
      this.line);
    this.#status = game.status;
    session.addEventListener("change", () => this.#draw(session, table));
    session.addEventListener("say", (event) => announce(/** @type {CustomEvent} */ (event).detail));
    addEventListener("online", () => session.queue.retryNow(), { signal });
    this.#watchVisibility(session, signal);
    document.addEventListener("keydown", (event) => this.#shortcut(event, session), { signal });
    this.#draw(session, table);
    session.start();
  }

  /** @param {Session} session @param {CardTable} table */
  #draw(session, table) {
    const { game } = session;
    Object.assign(this.dataset, { version: game.version, ply: game.ply, status: game.status });
    table.show(session.piles);
    if (!session.isReady && this.#hand?.selected) this.#hand.selected = null;
    this.#hand?.mark();
    if (this.line) drawLine(this.line, lineOf(session, { onEnd: () => showEnd(session.game) }));
    const can = { undo: game.can.undo, redo: game.can.redo, deal: session.legalMoves.includes(DEAL), hint: game.status === "in_progress" };
    for (const tool of this.tools?.querySelectorAll("button") ?? []) {
      const name = /** @type {keyof typeof can | undefined} */ (tool.dataset["tool"]);
      if (name) tool.disabled = !session.token || !can[name];
    }
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
      if (!(await ask("Take back from a foundation?", `This moves ${words}.`, "Take back"))) return this.#hand?.mark();
    }
    session.play(move);
  }

  /** @param {Session} session */
  #tools(session) {
    const hasStock = session.layout.variant.layout.some(({ kind }) => kind === "stock");
    const play = [
      button("undo", "Undo", () => session.undo(), { "data-tool": "undo", title: "Undo (U)" }),
      button("redo", "Redo", () => session.redo(), { "data-tool": "redo", title: "Redo (R)" }),
      button("hint", "Hint", () => session.askHint(), { "data-tool": "hint", title: "Hint (H)" }),
      hasStock ? button("deal", "Deal", () => session.play(DEAL), { "data-tool": "deal", title: "Deal a row (D)" }) : null,
    ];
    return h("div", { class: "tools", role: "toolbar", "aria-label": "Game" },
      ...(session.token ? play : []),
      button("new", "New", () => void startNewGame(session.game.variant), { title: "New game (N)" }),
      button("more", "More", () => this.#more(session), { "aria-haspopup": "dialog" }));
  }

  /** @param {Session} session */
  #more(session) {
    const { game, token } = session;
    const { title } = session.layout.variant;
    const act = (/** @type {() => unknown} */ what) => () => (dialog.close(), void what());
    const absolute = (/** @type {string} */ fragment) => new URL(fragment, location.href).href;
    const item = (/** @type {string} */ name, /** @type {string} */ words, /** @type {() => unknown} */ what) => h("li", {}, button(name, words, act(what)));
    const resign = async () => (await ask("Resign this game?", "It ends for good. A sealed deal can be verified then.", "Resign")) && session.resign();
    const { dialog } = openDialog(title, h("ul", { class: "menu" },
      item("rules", "Rules", () => (location.hash = rulesUrl(game.variant))),
      item("share", "Share for watching", () => share(`${title}, live`, absolute(gameUrl(game.id)))),
      item("replay", "Replay", () => (location.hash = replayUrl(game.id))),
      item("games", "My games", () => (location.hash = "#/games")),
      item("results", "Results and figures", () => (location.hash = "#/results")),
      token && game.status === "in_progress" ? item("resign", "Resign", resign) : null,
      h("li", {}, schemeButton())),
      h("p", { class: "keys" }, ...[["U", "undo"], ["R", "redo"], ["H", "hint"], ["D", "deal"], ["N", "new"], ["Arrows", "walk"], ["Enter", "pick up, put down"], ["+ −", "more, fewer cards"], ["Shift Enter", "obvious move"]].flatMap(([key, words]) => [h("kbd", {}, key ?? ""), ` ${words} `])));
  }

  /** @param {KeyboardEvent} event @param {Session} session */
  #shortcut(event, session) {
    const { target } = event;
    const isTyping = target instanceof Element && target.closest("input, select, textarea, dialog");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const { can } = session.game;
    const key = event.key.toLowerCase();
    if (key === "n") return void startNewGame(session.game.variant);
    if (!session.token) return;
    if (key === "u" && can.undo) session.undo();
    else if (key === "r" && can.redo) session.redo();
    else if (key === "h" && session.game.status === "in_progress") session.askHint();
    else if (key === "d" && session.legalMoves.includes(DEAL)) session.play(DEAL);
  }

  /** @param {Session} session @param {AbortSignal} signal */
  #watchVisibility(session, signal) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => session.stream.pause(), HIDDEN_FOR_LONG);
      else session.stream.resume();
    }, { signal });
    signal.addEventListener("abort", () => clearTimeout(timer));
  }
}

customElements.define("game-view", GameView);
