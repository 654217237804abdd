// Plays games on servers of boardgame.io: `node driver.js LINE CONNECTIONS PORT...`.
// LINE is a JSON file of moves, [source, target] each. Each line on the standard input has every
// connection play one game; the answer is a JSON line of the moves played and the bytes of updates.

const fs = require("node:fs");
const readline = require("node:readline");
const { io } = require("socket.io-client");

const [file, connections, ...ports] = process.argv.slice(2);
const line = JSON.parse(fs.readFileSync(file, "utf8"));

async function post(url, body) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

class Player {
  constructor(port) {
    this.games = `http://127.0.0.1:${port}/games/star`;
    this.socket = io(`http://127.0.0.1:${port}/star`, { transports: ["websocket"] });
    this.socket.on("update", (match, state) => this.updated(state));
    this.socket.on("sync", (match, { state }) => this.updated(state));
    this.socket.io.engine.on("message", (text) => (this.bytes += text.length));
    this.socket.on("disconnect", () => process.exit(1));
    this.bytes = 0;
  }

  updated(state) {
    this.resolve(state);
  }

  ask(...message) {
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.socket.emit(...message);
    });
  }

  async play() {
    const { matchID } = await post(`${this.games}/create`, { numPlayers: 1 });
    const seat = { playerID: "0", playerName: "bench" };
    const { playerCredentials: credentials } = await post(`${this.games}/${matchID}/join`, seat);
    let state = await this.ask("sync", matchID, "0", credentials, 1);
    this.bytes = 0;
    for (const args of line) {
      const payload = { type: "play", args, playerID: "0", credentials };
      const action = { type: "MAKE_MOVE", payload };
      const after = await this.ask("update", action, state._stateID, matchID, "0");
      if (after._stateID !== state._stateID + 1) throw new Error(`${args} was not played`);
      state = after;
    }
    if (!state.ctx.gameover) throw new Error("the game is not won");
  }
}

const players = Array.from({ length: Number(connections) }, (_, n) => new Player(ports[n % ports.length]));
readline.createInterface({ input: process.stdin }).on("line", async () => {
  await Promise.all(players.map((player) => player.play()));
  const moves = players.length * line.length;
  const bytes = players.reduce((sum, player) => sum + player.bytes, 0);
  console.log(JSON.stringify({ moves, bytes }));
}).on("close", () => process.exit());
