/** What this device keeps: games with their play tokens, label keys, unsent writes, settings. */

/** @import { Command, Game, StoredGame } from "../types.d.ts" */

const GAME = "asterism/game/";
const UNSENT = "asterism/unsent/";
const LABEL_KEYS = "asterism/label-keys";
const SETTINGS = "asterism/settings";
const FORMAT = "asterism-games/1";

/** @typedef {{ label?: string, scheme?: "light" | "dark" }} Settings */

/** A `Storage` that keeps nothing. */
export class MemoryStorage {
  /** @type {Map<string, string>} */
  #items = new Map();

  get length() {
    return this.#items.size;
  }

  key = (/** @type {number} */ index) => [...this.#items.keys()][index] ?? null;
  getItem = (/** @type {string} */ key) => this.#items.get(key) ?? null;
  setItem = (/** @type {string} */ key, /** @type {string} */ value) =>
    void this.#items.set(key, value);
  removeItem = (/** @type {string} */ key) => void this.#items.delete(key);
  clear = () => this.#items.clear();
}

/** Games on this device, in a `Storage` such as `localStorage`. */
export class Library {
  /** @param {Storage} storage */
  constructor(storage) {
    this.storage = storage;
  }

  /**
   * All games, the latest first.
   * @returns {StoredGame[]}
   */
  games() {
    const keys = Array.from(
      { length: this.storage.length },
      (_, index) => this.storage.key(index) ?? "",
    );
    const found = keys.filter((key) => key.startsWith(GAME)).map((key) => this.#read(key));
    return found
      .filter(Boolean)
      .sort((one, other) => other.updated_at.localeCompare(one.updated_at));
  }

  /** @param {string} id @returns {StoredGame | null} */
  game(id) {
    return this.#read(GAME + id);
  }

  /**
   * Remembers a game as it is now; the token stays, once it is known.
   * @param {Game} game
   * @param {string | null} [token]
   */
  save(game, token = this.game(game.id)?.token ?? null) {
    const { id, variant, deal, label, status, ply, counters, created_at, updated_at, expires_at } =
      game;
    this.#write(GAME + id, {
      id,
      token,
      variant,
      deal,
      label,
      status,
      ply,
      counters,
      created_at,
      updated_at,
      expires_at,
    });
  }

  /** @param {string} id */
  forget(id) {
    this.storage.removeItem(GAME + id);
    this.storage.removeItem(UNSENT + id);
  }

  /**
   * The write to a game whose outcome is not known.
   * @param {string} id
   * @returns {Command | null}
   */
  unsent(id) {
    return this.#read(UNSENT + id);
  }

  /** @param {string} id @param {Command | null} command */
  setUnsent(id, command) {
    if (command) this.#write(UNSENT + id, command);
    else this.storage.removeItem(UNSENT + id);
  }

  /**
   * The key of a label that this device owns.
   * @param {string} label
   * @returns {string | null}
   */
  labelKey(label) {
    return this.#labelKeys.get(label) ?? null;
  }

  /** @param {string} label @param {string | null} key */
  setLabelKey(label, key) {
    const keys = this.#labelKeys;
    if (key) keys.set(label, key);
    else keys.delete(label);
    this.#write(LABEL_KEYS, [...keys]);
  }

  /** @returns {Map<string, string>} */
  get #labelKeys() {
    return new Map(this.#read(LABEL_KEYS) ?? []);
  }

  /** @returns {Settings} */
  get settings() {
    return this.#read(SETTINGS) ?? {};
  }

  /** @param {Settings} changes */
  change(changes) {
    this.#write(SETTINGS, { ...this.settings, ...changes });
  }

  /** All games with their tokens, and all label keys, as a text to keep. */
  exported() {
    const label_keys = [...this.#labelKeys];
    return JSON.stringify({ format: FORMAT, games: this.games(), label_keys }, null, 1);
  }

  /**
   * Adds exported games; throws if the text is not such an export.
   * @param {string} text
   * @returns {number} how many games it holds
   */
  import(text) {
    const { format, games, label_keys = [] } = JSON.parse(text);
    if (format !== FORMAT || !Array.isArray(games)) throw new TypeError("not an export of games");
    for (const game of games) if (/^[a-z2-7]{26}$/.test(game.id)) this.#write(GAME + game.id, game);
    this.#write(LABEL_KEYS, [...new Map([...label_keys, ...this.#labelKeys])]);
    return games.length;
  }

  /** @param {string} key @returns {any} */
  #read(key) {
    try {
      return JSON.parse(this.storage.getItem(key) ?? "null");
    } catch {
      return null; // not ours, or damaged
    }
  }

  /** @param {string} key @param {unknown} value */
  #write(key, value) {
    this.storage.setItem(key, JSON.stringify(value));
  }
}
