/** Follows the events of a game: Server-Sent Events over `fetch`, which can send the token. */

import { Problem, problemOf } from "./client.mjs";

/** @import { Event } from "../types.d.ts" */

const SILENCE = 25_000; // milliseconds without a heartbeat, after which a connection is dead
const GONE = new Problem(
  {
    type: "/problems/game-not-found",
    title: "Game not found",
    status: 404,
    detail: "This game was deleted.",
    code: "game-not-found",
    request_id: "",
  },
  0,
);
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15_000;

/**
 * The messages in a stream of text.
 * @param {AsyncIterable<string>} chunks
 * @returns {AsyncGenerator<Event>}
 */
export async function* messagesIn(chunks) {
  let text = "";
  for await (const chunk of chunks) {
    const blocks = (text + chunk).split(/\r?\n\r?\n/);
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      if (lines.length > 0)
        yield JSON.parse(lines.map((line) => line.slice(5).trimStart()).join("\n"));
    }
  }
}

/**
 * The text of a response as it comes; fails after a long silence.
 * @param {ReadableStream<Uint8Array>} body
 * @param {AbortController} connection
 */
async function* textOf(body, connection) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const timer = setTimeout(() => connection.abort(), SILENCE);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/**
 * Follows a game until `signal` aborts; throws a problem if the game is deleted, or the service
 * refuses. Interruptions are resumed after the last version seen, without a gap.
 * @param {object} options
 * @param {string} options.id
 * @param {string | null} options.token
 * @param {number} options.after the version that is known
 * @param {AbortSignal} options.signal
 * @param {(event: Event) => void} options.onEvent
 * @param {typeof fetch} [options.send]
 * @param {number} [options.pause] milliseconds before the first reconnection
 */
export async function follow({
  id,
  token,
  after,
  signal,
  onEvent,
  send = (...request) => fetch(...request),
  pause = FIRST_WAIT,
}) {
  let wait = pause;
  while (!signal.aborted) {
    const connection = new AbortController();
    const stop = () => connection.abort();
    signal.addEventListener("abort", stop);
    try {
      /** @type {Record<string, string>} */
      const headers = { Accept: "text/event-stream" };
      if (token) headers["Authorization"] = `Bearer ${token}`;
      const response = await send(`/v1/games/${id}/events?after=${after}`, {
        headers,
        signal: connection.signal,
        cache: "no-store",
      });
      if (!response.ok || !response.body) throw await problemOf(response);
      wait = pause;
      for await (const event of messagesIn(textOf(response.body, connection))) {
        after = Math.max(after, event.version);
        onEvent(event);
        if (event.kind === "deleted") throw GONE;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && !error.isTemporary && error.body.status < 500) throw error;
      wait =
        error instanceof Problem && error.wait
          ? error.wait * 1000
          : Math.min(LONGEST_WAIT, wait * 2);
    } finally {
      signal.removeEventListener("abort", stop);
      connection.abort();
    }
    await pauseFor(wait, signal);
  }
}

/** A stream of the events of a game that can be paused and resumed. */
export class Stream {
  /** @type {AbortController | null} */
  #following = null;

  /**
   * @param {object} options
   * @param {string} options.id
   * @param {string | null} options.token
   * @param {() => number} options.after the version that is known
   * @param {(event: Event) => void} options.onEvent
   * @param {(problem: Problem) => void} options.onRefused the game is gone, or not to be watched
   */
  constructor(options) {
    this.options = options;
  }

  /** Follows the game, if it is not followed already. */
  resume() {
    if (this.#following) return;
    const following = new AbortController();
    this.#following = following;
    const { after, onRefused, ...options } = this.options;
    follow({ ...options, after: after(), signal: following.signal })
      .catch((error) => (error instanceof Problem ? onRefused(error) : Promise.reject(error)))
      .finally(() => this.#following === following && (this.#following = null));
  }

  /** Ends the stream until `resume`. */
  pause() {
    this.#following?.abort();
    this.#following = null;
  }
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
function pauseFor(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve(undefined)), {
      once: true,
    });
  });
}
