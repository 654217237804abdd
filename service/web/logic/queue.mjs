/** Sends writes one after another, each until it has an outcome: none is lost, none is doubled. */

import { Problem } from "./client.mjs";

/** @import { Traffic } from "../types.d.ts" */

const LONGEST_WAIT = 15; // seconds between attempts without an answer
const MOST_FAILURES = 3; // of the server itself (500), after which the problem is shown

/**
 * How long to wait after an attempt that failed, in seconds; null if it must not be repeated.
 * @param {unknown} error
 * @param {number} attempt from 1
 */
export function waitAfter(error, attempt) {
  const backoff = Math.min(LONGEST_WAIT, 2 ** (attempt - 1));
  if (!(error instanceof Problem)) return backoff;
  if (error.isTemporary) return error.wait || backoff;
  return error.body.status >= 500 && attempt < MOST_FAILURES ? backoff : null;
}

/** A queue of tasks; reports its traffic. */
export class Queue {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {(() => void) | null} */
  #wake = null;
  #ended = false;

  /**
   * @param {(traffic: Traffic) => void} report
   * @param {(milliseconds: number) => Promise<void>} [sleep]
   */
  constructor(
    report,
    sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
  ) {
    this.report = report;
    this.sleep = sleep;
  }

  /**
   * Runs `task` after all earlier ones, again and again until it succeeds or fails for good. Each
   * attempt must send the same request with the same idempotency key.
   * @template T
   * @param {() => Promise<T>} task
   * @returns {Promise<T>}
   */
  run(task) {
    const result = this.#last.then(() => this.#attempt(task));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Ends a wait: the network is back. */
  retryNow() {
    this.#wake?.();
  }

  /** Stops repeating; what is under way keeps its place in the storage. */
  end() {
    this.#ended = true;
    this.#wake?.();
  }

  /**
   * @template T
   * @param {() => Promise<T>} task
   * @returns {Promise<T>}
   */
  async #attempt(task) {
    for (let attempt = 1; ; attempt++) {
      if (this.#ended) throw new DOMException("The view was closed.", "AbortError");
      this.report({ state: "sending", seconds: 0 });
      try {
        const result = await task();
        this.report({ state: "idle", seconds: 0 });
        return result;
      } catch (error) {
        const seconds = waitAfter(error, attempt);
        if (seconds === null || this.#ended) {
          this.report({ state: "idle", seconds: 0 });
          throw error;
        }
        this.report({ state: error instanceof Problem ? "waiting" : "offline", seconds });
        await this.#wait(seconds);
      }
    }
  }

  /** @param {number} seconds */
  async #wait(seconds) {
    const woken = new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    await Promise.race([this.sleep(seconds * 1000), woken]);
    this.#wake = null;
  }
}
