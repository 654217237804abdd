/** One game on the table: what is shown, what is sent, and what comes from elsewhere. */

import { newKey, Problem } from "./client.mjs";
import { Stream } from "./events.mjs";
import { DEAL } from "./moves.mjs";
import { Queue } from "./queue.mjs";
import { afterMove } from "./table.mjs";
import { answerInWords, endInWords, moveInWords } from "./words.mjs";

/** @import { Client } from "./client.mjs" */
/** @import { Library } from "./storage.mjs" */
/** @import { Command, Event as GameEvent, Game, HintAnswer, Layout } from "../types.d.ts" */
/** @import { ProblemBody, Traffic, WriteAnswer } from "../types.d.ts" */

/** A game as it is played or, without a token, watched. Fires `change` and, with words, `say`. */
export class Session extends EventTarget {
  /** @type {string | null} the move that is shown, but not answered */
  moving = null;
  /** @type {Omit<HintAnswer, "game"> | null} */
  hint = null;
  /** @type {ProblemBody & Record<string, unknown> | null} why the last request was refused */
  problem = null;
  /** @type {Traffic} */
  traffic = { state: "idle", seconds: 0 };
  /** @type {Game | null} a newer game than the shown one, while a request is under way */
  #newer = null;
  #refusals = 0;
  #changes = 0; // of the position that are under way

  /** @param {Client} client @param {Library} library @param {Layout} layout */
  constructor(client, library, layout, /** @type {Game} */ game, /** @type {string?} */ token) {
    super();
    this.client = client;
    this.library = library;
    this.layout = layout;
    this.game = game;
    this.token = token;
    this.queue = new Queue((traffic) => {
      this.traffic = traffic;
      this.#changed();
    });
    this.stream = new Stream({
      id: game.id,
      token,
      after: () => this.game.version,
      onEvent: (event) => this.#hear(event),
      onRefused: (problem) => void this.#refused(problem),
    });
  }

  /** The piles as they are shown: those of the game, after a move that is under way. */
  get piles() {
    const { game, moving } = this;
    return moving === null || moving === DEAL ? game.piles : afterMove(game.piles, moving);
  }

  /** Whether the table takes a move now: it is known what is legal. */
  get isReady() {
    return this.token !== null && this.game.status === "in_progress" && this.#changes === 0;
  }

  /** The legal moves, or none while a move is under way. */
  get legalMoves() {
    return this.isReady ? this.game.legal_moves : [];
  }

  /** Sends what an earlier visit could not, and follows the game. */
  start() {
    const unsent = this.library.unsent(this.game.id);
    if (unsent && this.token) void this.#send(() => unsent);
    this.stream.resume();
  }

  /** Ends everything; a request without an outcome is sent by the next visit. */
  end() {
    this.stream.pause();
    this.queue.end();
  }

  /** @param {string} move a legal one */
  play(move) {
    if (!this.isReady) return;
    this.#say(move === DEAL ? "A row is dealt." : moveInWords(this.layout, this.piles, move));
    this.moving = move;
    this.hint = null;
    void this.#write("moves", { moves: [move] });
    this.#changed();
  }

  /** @param {number} [steps] */
  undo(steps = 1) {
    void this.#write("undo", { steps });
  }

  /** @param {number} [steps] */
  redo(steps = 1) {
    void this.#write("redo", { steps });
  }

  askHint = () => void this.#write("hint");

  resign = () => void this.#write("resignation");

  /**
   * @param {Command["action"]} action
   * @param {{ moves?: string[], steps?: number }} [extra]
   */
  async #write(action, extra) {
    /** @type {Command | null} */
    let command = null;
    if (action !== "hint") this.#changes++;
    await this.#send(
      () => (command ??= { action, body: { version: this.game.version, ...extra }, key: newKey() }),
    );
    if (action !== "hint") this.#changes--;
    this.#changed();
  }

  /**
   * Sends a command in its turn, unless one before it was refused or nothing is left to undo.
   * @param {() => Command} command
   */
  async #send(command) {
    const { id } = this.game;
    const refusals = this.#refusals;
    try {
      await this.queue.run(async () => {
        const given = command();
        const { action } = given;
        const isIdle = (action === "undo" || action === "redo") && !this.game.can[action];
        if (isIdle || this.#refusals > refusals) return this.library.setUnsent(id, null);
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

  /** @param {Command} command @param {WriteAnswer} answer */
  #answered(command, answer) {
    this.problem = null;
    if (command.action === "moves") this.moving = null;
    this.#show(answer.game);
    const { why, move = null, verdict = "unknown", undo_steps = null, line = null } = answer;
    if (why !== undefined && this.moving === null)
      this.hint = { move, why, verdict, undo_steps, line };
    this.#say(answerInWords(this.layout, command, answer));
    this.#say(endInWords(this.game));
    const newer = this.#newer;
    if (newer && newer.version > this.game.version) this.#show(newer);
    this.#newer = null;
  }

  /** A request was refused: what the server has is shown, and why. @param {Problem} problem */
  async #refused(problem) {
    this.#refusals++;
    this.moving = null;
    this.problem = problem.body;
    const { status, title, detail } = problem.body;
    this.#say(`${title}. ${detail}`);
    if (status === 401 || status === 403) this.token = null;
    const read = () => this.client.game(this.game.id, this.token);
    if (status !== 404) this.#show(await this.queue.run(read).catch(() => this.game));
    this.#changed();
  }

  /** @param {GameEvent} event */
  #hear(event) {
    if (!event.game || event.version <= this.game.version) return;
    if (this.traffic.state !== "idle") return void (this.#newer = event.game);
    const last = event.moves[event.moves.length - 1];
    if (last) this.#say(moveInWords(this.layout, this.piles, last, event.reveals));
    this.#show(event.game);
    this.#say(endInWords(this.game));
    this.#changed();
  }

  /** @param {Game} game */
  #show(game) {
    this.game = game;
    this.hint = null;
    if (this.library.game(game.id)) this.library.save(game);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** @param {string} words */
  #say(words) {
    if (words) this.dispatchEvent(new CustomEvent("say", { detail: words }));
  }
}
