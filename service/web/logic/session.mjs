/** One game on the table: what is shown, what is sent, and what comes from elsewhere. */

import { newKey, Problem } from "./client.mjs";
import { follow } from "./events.mjs";
import { DEAL } from "./moves.mjs";
import { Queue } from "./queue.mjs";
import { afterMove } from "./table.mjs";
import { moveInWords } from "./words.mjs";

/** @import { Client } from "./client.mjs" */
/** @import { Library } from "./storage.mjs" */
/** @import { Command, Event as GameEvent, Game, HintAnswer, Layout, Pile, ProblemBody, Reveal, Traffic } from "../types.d.ts" */

/** A game as it is played or, without a token, watched. Fires `change` and, with words, `say`. */
export class Session extends EventTarget {
  /** @type {Pile[]} what the table shows: the game, and a move that is under way */
  piles;
  /** @type {string | null} the move that is shown, but not answered */
  moving = null;
  /** @type {Omit<HintAnswer, "game"> | null} */
  hint = null;
  /** @type {ProblemBody & Record<string, unknown> | null} why the last request was refused */
  problem = null;
  /** @type {Traffic} */
  traffic = { state: "idle", seconds: 0 };
  /** @type {AbortController | null} */
  #following = null;
  /** @type {Game | null} a newer game than the shown one, while a request is under way */
  #newer = null;
  #refusals = 0;

  /**
   * @param {{ client: Client, library: Library, layout: Layout, game: Game, token: string | null }} parts
   */
  constructor({ client, library, layout, game, token }) {
    super();
    this.client = client;
    this.library = library;
    this.layout = layout;
    this.game = game;
    this.token = token;
    this.piles = game.piles;
    this.queue = new Queue((traffic) => {
      this.traffic = traffic;
      this.#changed();
    });
  }

  /** Whether the table takes a move now: it is known what is legal. */
  get isReady() {
    return this.token !== null && this.game.status === "in_progress" && this.moving === null;
  }

  /** The legal moves, or none while a move is under way. */
  get legalMoves() {
    return this.isReady ? this.game.legal_moves : [];
  }

  /** Sends what an earlier visit could not, and follows the game. */
  start() {
    const unsent = this.library.unsent(this.game.id);
    if (unsent && this.token) void this.#send(() => unsent);
    this.resume();
  }

  /** Follows the events of the game, if it is not followed already. */
  resume() {
    if (this.#following) return;
    const following = new AbortController();
    this.#following = following;
    const { token, game } = this;
    follow({ id: game.id, token, after: game.version, signal: following.signal, onEvent: (event) => this.#hear(event) })
      .catch((error) => (error instanceof Problem && error.body.status === 404 ? this.#refused(error) : undefined))
      .finally(() => this.#following === following && (this.#following = null));
  }

  /** Ends the stream of events until `resume`. */
  pause() {
    this.#following?.abort();
    this.#following = null;
  }

  /** Ends everything; a request without an outcome is sent by the next visit. */
  end() {
    this.pause();
    this.queue.end();
  }

  /** @param {string} move a legal one */
  play(move) {
    if (!this.isReady) return;
    this.#say(move === DEAL ? "A row is dealt." : moveInWords(this.layout, this.piles, move));
    this.moving = move;
    this.hint = null;
    this.piles = move === DEAL ? this.piles : afterMove(this.piles, move);
    this.#changed();
    void this.#write("moves", { moves: [move] });
  }

  /** @param {number} [steps] */
  undo(steps = 1) {
    void this.#write("undo", { steps });
  }

  /** @param {number} [steps] */
  redo(steps = 1) {
    void this.#write("redo", { steps });
  }

  askHint() {
    void this.#write("hint");
  }

  resign() {
    void this.#write("resignation");
  }

  /**
   * @param {Command["action"]} action
   * @param {{ moves?: string[], steps?: number }} [extra]
   */
  #write(action, extra) {
    /** @type {Command | null} */
    let command = null;
    return this.#send(() => (command ??= { action, body: { version: this.game.version, ...extra }, key: newKey() }));
  }

  /**
   * Sends a command in its turn, unless one before it was refused.
   * @param {() => Command} command
   */
  async #send(command) {
    const { id } = this.game;
    const refusals = this.#refusals;
    try {
      await this.queue.run(async () => {
        if (this.#refusals > refusals) return;
        const given = command();
        this.library.setUnsent(id, given);
        const answer = await this.client.write(id, this.token ?? "", given);
        this.library.setUnsent(id, null);
        this.#answered(given, answer);
      });
    } catch (error) {
      if (!(error instanceof Problem)) return;
      this.library.setUnsent(id, null);
      await this.#refused(error);
    }
  }

  /**
   * @param {Command} command
   * @param {{ game: Game, reveals?: Reveal[] } & Partial<HintAnswer>} answer
   */
  #answered(command, { game, reveals = [], why, move = null, verdict = "unknown", undo_steps = null }) {
    this.problem = null;
    this.#show(game);
    if (why !== undefined) {
      this.hint = { move, why, verdict, undo_steps };
      this.#say(`${move ? `Hint: ${moveInWords(this.layout, game.piles, move)}. ` : ""}${why}`);
    }
    if (command.action === "moves" && reveals.length) this.#say(moveInWords(this.layout, game.piles, DEAL, reveals).replace("a row is dealt", "Turned up"));
    if (command.action === "undo") this.#say(`${command.body.steps} undone.`);
    if (command.action === "redo") this.#say(`${command.body.steps} redone.`);
    this.#tellEnd();
    const newer = this.#newer;
    if (newer && newer.version > this.game.version) this.#show(newer);
    this.#newer = null;
    this.#changed();
  }

  /**
   * A request was refused: what the server has is shown, and why.
   * @param {Problem} problem
   */
  async #refused(problem) {
    this.#refusals++;
    this.problem = problem.body;
    this.#say(`${problem.body.title}. ${problem.body.detail}`);
    if (problem.body.status === 401 || problem.body.status === 403) this.token = null;
    if (problem.body.status !== 404) {
      const game = await this.queue.run(() => this.client.game(this.game.id, this.token)).catch(() => this.game);
      this.#show(game);
    }
    this.#changed();
  }

  /** @param {GameEvent} event */
  #hear(event) {
    if (event.kind === "deleted") {
      void this.#refused(new Problem({ type: "about:blank", title: "Deleted", status: 404, detail: "This game was deleted.", code: "game-not-found", request_id: "" }, 0));
    }
    if (!event.game || event.version <= this.game.version) return;
    if (this.traffic.state !== "idle") {
      this.#newer = event.game;
      return;
    }
    const last = event.moves[event.moves.length - 1];
    if (last) this.#say(moveInWords(this.layout, this.piles, last, event.reveals));
    this.#show(event.game);
    this.#tellEnd();
    this.#changed();
  }

  /** @param {Game} game */
  #show(game) {
    this.game = game;
    this.piles = game.piles;
    this.moving = null;
    this.hint = null;
    if (this.library.game(game.id)) this.library.save(game);
  }

  #tellEnd() {
    if (this.game.status === "won") this.#say("The game is won.");
    else if (this.game.stuck) this.#say("No move is left. Only an undo can help.");
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** @param {string} words */
  #say(words) {
    this.dispatchEvent(new CustomEvent("say", { detail: words }));
  }
}
