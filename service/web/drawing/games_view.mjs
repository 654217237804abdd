/** `<games-view>`: the games on this device, and one's own statistics. */

import { capitalized } from "../logic/layout.mjs";
import { gameUrl, replayUrl } from "../logic/routes.mjs";
import { summarize } from "../logic/statistics.mjs";
import { dealInWords, timeInWords, titleOf } from "../logic/words.mjs";
import { ask, download, toast } from "./dialogs.mjs";
import { button, h } from "./dom.mjs";
import { dataTable, page } from "./frame.mjs";
import { client, library } from "./services.mjs";

/** @import { StoredGame } from "../types.d.ts" */

const STATUS = { in_progress: "in progress", won: "won", resigned: "resigned" };

/** The games on this device. */
export class GamesView extends HTMLElement {
  connectedCallback() {
    document.title = "My games · Asterism";
    this.#draw();
  }

  #draw() {
    const games = library.games();
    const summaries = summarize(games);
    const file = h("input", {
      type: "file",
      accept: "application/json",
      hidden: true,
      "aria-label": "An exported file",
      on: { change: () => this.#import(file) },
    });
    this.replaceChildren(
      ...page(
        "My games",
        h(
          "p",
          {},
          "Games and their play tokens are kept on this device only. " +
            "An export takes them to another one; whoever has it can play them.",
        ),
        h(
          "p",
          { class: "actions" },
          button("export", "Export", () => download("asterism-games.json", library.exported())),
          button("import", "Import", () => file.click()),
          file,
        ),
        games.length === 0 ? h("p", {}, h("a", { href: "#/" }, "No game yet. Start one.")) : null,
        summaries.length > 0
          ? dataTable(
              "Statistics",
              [
                "Game",
                "Started",
                "Won",
                "Resigned",
                "Streak",
                "Longest",
                "Fewest moves",
                "Fastest",
              ],
              summaries.map((sum) => [
                titleOf(sum.variant),
                String(sum.started),
                String(sum.won),
                String(sum.lost),
                String(sum.streak),
                String(sum.longest),
                String(sum.fewest ?? "–"),
                sum.fastest === null ? "–" : timeInWords(sum.fastest),
              ]),
            )
          : null,
        games.length > 0
          ? dataTable(
              "Games",
              ["Deal", "Game", "State", "Moves", "Last played", "Actions"],
              games.map((game) => this.#row(game)),
            )
          : null,
      ),
    );
  }

  /** @param {StoredGame} game */
  #row(game) {
    const open = h("a", { href: gameUrl(game.id) }, capitalized(dealInWords(game.deal)));
    const when = new Date(game.updated_at).toLocaleString([], {
      dateStyle: "medium",
      timeStyle: "short",
    });
    const tools = h(
      "span",
      { class: "tools" },
      h(
        "a",
        {
          class: "small",
          href: replayUrl(game.id),
          "aria-label": `Replay ${dealInWords(game.deal)}`,
        },
        "Replay",
      ),
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": `Delete ${dealInWords(game.deal)}`,
          on: { click: () => void this.#delete(game) },
        },
        "Delete",
      ),
    );
    return [
      open,
      titleOf(game.variant),
      game.token ? STATUS[game.status] : "watched",
      String(game.ply),
      when,
      tools,
    ];
  }

  /** @param {StoredGame} game */
  async #delete(game) {
    if (
      !(await ask("Delete this game?", "It is deleted here and on the server, for good.", "Delete"))
    )
      return;
    if (game.token) await client.remove(game.id, game.token).catch(() => undefined);
    library.forget(game.id);
    this.#draw();
  }

  /** @param {HTMLInputElement} input */
  async #import(input) {
    const text = await input.files?.[0]?.text();
    if (!text) return;
    try {
      toast(`${library.import(text)} games imported.`);
    } catch {
      toast("This file is not an export of games.");
    }
    this.#draw();
  }
}

customElements.define("games-view", GamesView);
