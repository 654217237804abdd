/** The public API over `fetch`: one function a request, and an error for each problem. */

/** @import { Command, Commitment, CreatedGame, DailyDeals, DealList } from "../types.d.ts" */
/** @import { DealReveal, Game, NewGame, ProblemBody, Replay } from "../types.d.ts" */
/** @import { ResultList, Stats, Variant, WriteAnswer } from "../types.d.ts" */

/** How long a response may take before the request counts as failed, in milliseconds. */
const PATIENCE = 60_000;

/** A response that is not 2xx: a problem document (RFC 9457). */
export class Problem extends Error {
  /**
   * @param {ProblemBody & Record<string, unknown>} body
   * @param {number} wait the seconds of `Retry-After`, or 0
   */
  constructor(body, wait) {
    super(body.detail);
    this.body = body;
    this.wait = wait;
  }

  /** The name of the problem, such as `version-conflict`. */
  get code() {
    return this.body.code;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() {
    return this.wait > 0 || [429, 502, 503, 504].includes(this.body.status);
  }
}

/** A random idempotency key. */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/**
 * A problem from a response, also from one that does not come from the service.
 * @param {Response} response
 */
export async function problemOf(response) {
  const wait = Number(response.headers.get("Retry-After")) || 0;
  const status = response.status;
  const fallback = {
    type: "about:blank",
    title: response.statusText,
    status,
    detail: `The server answered ${status}.`,
    code: "internal-error",
    request_id: "",
  };
  const body = await response.json().catch(() => null);
  return new Problem({ ...fallback, ...body }, wait);
}

/** A client of the API. */
export class Client {
  /** @param {typeof fetch} [send] */
  constructor(send = (...request) => fetch(...request)) {
    this.send = send;
  }

  /**
   * Sends a request; throws `Problem`, or what `fetch` throws if there is no response.
   * @param {string} path
   * @param {{ token?: string | null, body?: object, key?: string, method?: string }} [options]
   * @returns {Promise<any>}
   */
  async request(path, { token, body, key, method = body ? "POST" : "GET" } = {}) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (token) headers["Authorization"] = `Bearer ${token}`;
    if (body) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    const content = body ? JSON.stringify(body) : null;
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await this.send(path, { method, headers, body: content, signal });
    if (!response.ok) throw await problemOf(response);
    return response.status === 204 ? null : response.json();
  }

  /** @param {string} name @returns {Promise<Variant>} */
  variant = (name) => this.request(`/v1/variants/${name}`);

  /** @returns {Promise<import("../types.d.ts").VariantSummary[]>} */
  variants = async () => (await this.request("/v1/variants")).items;

  /** @param {NewGame} body @param {string} key @returns {Promise<CreatedGame>} */
  create = (body, key) => this.request("/v1/games", { body, key });

  /** @param {string} key @returns {Promise<Commitment>} */
  commit = (key) => this.request("/v1/commitments", { body: {}, key });

  /** @param {string} id @param {string | null} token @returns {Promise<Game>} */
  game = (id, token) => this.request(`/v1/games/${id}`, { token });

  /**
   * Sends a write to a game.
   * @param {string} id @param {string} token @param {Command} command
   * @returns {Promise<WriteAnswer>}
   */
  write = (id, token, { action, body, key }) =>
    this.request(`/v1/games/${id}/${action}`, { token, body, key });

  /** @param {string} id @param {string} token @returns {Promise<null>} */
  remove = (id, token) => this.request(`/v1/games/${id}`, { token, method: "DELETE" });

  /** @param {string} id @param {string | null} token @returns {Promise<Replay>} */
  replay = (id, token) => this.request(`/v1/games/${id}/replay`, { token });

  /** @param {string} id @returns {Promise<DealReveal>} */
  reveal = (id) => this.request(`/v1/games/${id}/reveal`);

  /** @returns {Promise<DailyDeals>} */
  daily = () => this.request("/v1/deals/daily");

  /** @param {Record<string, string>} query @returns {Promise<DealList>} */
  deals = (query) => this.request(`/v1/deals?${new URLSearchParams(query)}`);

  /** @param {string} deal @returns {Promise<ResultList>} */
  results = (deal) => this.request(`/v1/deals/${deal}/results?limit=20`);

  /** @param {Record<string, string>} query @returns {Promise<Stats>} */
  stats = (query) => this.request(`/v1/stats?${new URLSearchParams(query)}`);
}
