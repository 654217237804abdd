/** Plays both games with a client by openapi-typescript and openapi-fetch, and prints how it went. */

import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type Deal = Schemas["NewGame"];

const [, , url, line] = process.argv as [string, string, string, string];
const client = createClient<paths>({ baseUrl: url });

class Player {
  private constructor(public game: Schemas["Game"], private readonly token: string) {}

  static async seat(body: Deal): Promise<Player> {
    const { data, error } = await client.POST("/v1/games", { body });
    if (!data) throw new Error(error.code);
    return new Player(data.game, data.play_token);
  }

  private get to() {
    return {
      params: { path: { game_id: this.game.id } },
      headers: { Authorization: `Bearer ${this.token}` },
    };
  }

  async hint(): Promise<string> {
    const body = { version: this.game.version };
    const { data, error } = await client.POST("/v1/games/{game_id}/hint", { ...this.to, body });
    if (!data) throw new Error(error.code);
    this.game = data.game;
    if (data.move === null) throw new Error(data.why);
    return data.move;
  }

  async play(moves: string[]): Promise<number> {
    const body = { version: this.game.version, moves };
    const { data, error } = await client.POST("/v1/games/{game_id}/moves", { ...this.to, body });
    if (!data) throw new Error(error.code);
    this.game = data.game;
    return data.applied;
  }

  /** Why these moves are refused; what each code brings with it is known to the compiler. */
  async refusal(version: number, move: string): Promise<string> {
    const body = { version, moves: [move] };
    const { error } = await client.POST("/v1/games/{game_id}/moves", { ...this.to, body });
    switch (error?.code) {
      case "version-conflict":
        return `${error.code} ${error.current_version}`;
      case "illegal-move":
        return `${error.code} ${error.rule}`;
      case "game-over":
        return `${error.code} ${error.game_status}`;
      default:
        throw new Error(`unexpected: ${error?.code}`);
    }
  }

  async replayIsRight(): Promise<boolean> {
    const replay = await client.GET("/v1/games/{game_id}/replay", this.to);
    if (!replay.data || typeof replay.data === "string") throw new Error(replay.error?.code);
    const ruling = await client.POST("/v1/referee/verify", { body: replay.data });
    return ruling.data?.right ?? false;
  }
}

const refused: string[] = [];

const binaryStar = await Player.seat({ variant: "binary-star", deal: { number: "1" } });
refused.push(await binaryStar.refusal(binaryStar.game.version, "f1f2"));
while (binaryStar.game.status === "in_progress") await binaryStar.play([await binaryStar.hint()]);
refused.push(await binaryStar.refusal(binaryStar.game.version, "f1f2"));

const { deal, moves } = JSON.parse(readFileSync(line, "utf8")) as { deal: string; moves: string[] };
const astrocyte = await Player.seat({ variant: "astrocyte", deal: { number: deal } });
for (let ply = 0; ply < moves.length; ) ply += await astrocyte.play(moves.slice(ply, ply + 200));
refused.push(await astrocyte.refusal(1, "deal"));

const players = [binaryStar, astrocyte];
console.log(
  JSON.stringify({
    ended: players.map(({ game }) => [game.variant, game.status, game.counters.moves]),
    refused,
    replays_are_right: await Promise.all(players.map((player) => player.replayIsRight())),
  }),
);
