// boardgame.io with a game whose moves are those of Binary Star: `node server.js PORT START`.
// START is a JSON file of the cards of each pile.

const fs = require("node:fs");
const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const [port, start] = process.argv.slice(2);
const piles = JSON.parse(fs.readFileSync(start, "utf8"));
const RANKS = "A23456789TJQK";

function join(one, other) {
  const apart = Math.abs(RANKS.indexOf(one[0]) - RANKS.indexOf(other[0]));
  return apart === 1 || apart === 12;
}

function play({ G }, source, target) {
  const [from, onto] = [G[source], G[target]];
  if (!from || !onto || source === target || target[0] !== "f") return INVALID_MOVE;
  if (from.length <= (source[0] === "f" ? 1 : 0)) return INVALID_MOVE;
  if (!join(from.at(-1), onto.at(-1))) return INVALID_MOVE;
  onto.push(from.pop());
}

const game = {
  name: "star",
  setup: () => piles,
  moves: { play },
  endIf: ({ G }) => Object.keys(G).every((id) => id[0] === "f" || !G[id].length) || undefined,
};

const server = Server({ games: [game], origins: [/127\.0\.0\.1/] });
// It would listen on every interface.
const listen = server.app.listen.bind(server.app);
server.app.listen = (to, done) => listen(to, "127.0.0.1", done);
server.run({ port: Number(port), callback: () => console.log("ready") });
