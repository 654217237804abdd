/** Creates games, with what this device knows about their labels. */

import { newKey, Problem } from "../logic/client.mjs";
import { gameUrl } from "../logic/routes.mjs";
import { client, library, patiently } from "./services.mjs";

/** @import { CreatedGame, NewGame } from "../types.d.ts" */

/**
 * Creates a game, remembers its token and goes there; an answer that is lost is asked for again.
 * A label whose key is on this device stays this player's.
 * @param {NewGame} request
 * @param {(words: string) => void} [report]
 */
export async function create(request, report) {
  const { label } = request;
  const { game, play_token: token, label_key } = await created(request, report);
  library.save(game, token);
  if (label && label_key) library.setLabelKey(label, label_key);
  location.hash = gameUrl(game.id);
}

/**
 * The answer to a creation, with the key of the label if that is known and has not lapsed.
 * @param {NewGame} request
 * @param {(words: string) => void} [report]
 * @returns {Promise<CreatedGame>}
 */
async function created(request, report) {
  const { label } = request;
  const known = label ? library.labelKey(label) : null;
  const key = newKey();
  const body = known ? { ...request, label_key: known } : request;
  try {
    return await patiently(() => client.create(body, key), report);
  } catch (problem) {
    const lapsed = problem instanceof Problem && problem.code === "label-key-wrong";
    if (!lapsed || !label || !known) throw problem;
    library.setLabelKey(label, null);
    return created(request, report);
  }
}
