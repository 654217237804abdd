/** What all views share: the client, the games on this device, and the variants. */

import { Client } from "../logic/client.mjs";
import { readLayout } from "../logic/layout.mjs";
import { Queue } from "../logic/queue.mjs";
import { Library, MemoryStorage } from "../logic/storage.mjs";

/** @import { Layout } from "../types.d.ts" */

export const client = new Client();
export const library = new Library(deviceStorage());

/** The storage of this device or, where the browser forbids it, one as short-lived as the page. */
function deviceStorage() {
  try {
    return localStorage;
  } catch {
    return new MemoryStorage();
  }
}

/** @type {Map<string, Promise<Layout>>} */
const layouts = new Map();

/**
 * The layout of a variant, read once.
 * @param {string} variant
 */
export function layoutOf(variant) {
  const found = layouts.get(variant) ?? client.variant(variant).then(readLayout);
  found.catch(() => layouts.delete(variant));
  layouts.set(variant, found);
  return found;
}

/** All layouts, in the order of the service. */
export const allLayouts = async () =>
  Promise.all((await client.variants()).map(({ name }) => layoutOf(name)));

/**
 * Runs a read, or a write with a fixed key, until it succeeds or is refused; waits as told.
 * @template T
 * @param {() => Promise<T>} task
 * @param {(words: string) => void} [report] says why it takes so long
 * @returns {Promise<T>}
 */
export function patiently(task, report = () => undefined) {
  const queue = new Queue(({ state, seconds }) => {
    if (state === "offline") report("No connection. Trying again …");
    if (state === "waiting") report(`The service is busy. Trying again in ${seconds} s …`);
  });
  const retry = () => queue.retryNow();
  addEventListener("online", retry);
  return queue.run(task).finally(() => removeEventListener("online", retry));
}
