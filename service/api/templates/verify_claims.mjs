// What a reveal claims, and what one kept of the game, held against the derived deal.
const DEAL_NAMES = ["number", "commitment", "server_seed", "player_seed"];

// A replay, from its JSON or its text form.
export function readReplay(text) {
  if (text.trimStart().startsWith("{")) return JSON.parse(text);
  const replay = { deal: {}, start: [], moves: [], reveals: [] };
  for (const line of text.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean)) {
    const pile = line.match(/^([tcfs]\d{0,2}): *(?:\[(\d+)\])? *(.*)$/);
    const member = line.match(/^([a-z_]+): *(.*)$/);
    if (pile) {
      const cards = pile[3] === "-" ? [] : pile[3].split(/\s+/).filter(Boolean);
      replay.start.push({ id: pile[1], hidden: Number(pile[2] ?? 0), cards });
    } else if (member) {
      (DEAL_NAMES.includes(member[1]) ? replay.deal : replay)[member[1]] = member[2];
    } else {
      const [move, ...turned] = line.split(/\s+/);
      replay.moves.push(move);
      for (const word of turned) {
        const [pile, card] = word.split("=");
        replay.reveals.push({ ply: replay.moves.length, pile, card });
      }
    }
  }
  return replay;
}

// The first card of a replay that the deal has not, in words; null if there is none. A move turns
// the next card of its pile, and a dealt row the next cards of the stock.
export function difference({ start, moves, reveals }, pack, setAside) {
  const columns = start.filter(({ id }) => id[0] === "t");
  const others = start.filter(({ id }) => id[0] !== "t").flatMap(({ cards }) => cards);
  if (String(others.sort()) !== String(setAside)) return "the cards beside the columns at the start";
  const dealt = columns.reduce((sum, { hidden, cards }) => sum + hidden + cards.length, 0);
  const under = {}, stock = pack.slice(dealt);
  if (stock.length !== (start.find(({ id }) => id === "s")?.hidden ?? 0)) return "the number of cards in the stock";
  for (const [place, { id, hidden, cards }] of columns.entries()) {
    const column = pack.slice(0, dealt).filter((_, index) => index % columns.length === place);
    under[id] = column.slice(0, hidden);
    if (String(column.slice(hidden)) !== String(cards)) return `the cards of ${id} at the start`;
  }
  for (const { ply, pile, card } of reveals) {
    const turned = moves[ply - 1] === "deal" ? stock.shift() : under[pile]?.pop();
    if (turned !== card) return `${card}, which move ${ply} turned on ${pile}`;
  }
  return null;
}

// Each claim as [words, whether it holds]. `kept` has the commitment, seed and replay that one
// kept, or nothing of each.
export function claims(reveal, derived, kept, setAside) {
  const all = [];
  if (kept.commitment) all.push(["It is the commitment you were shown", kept.commitment.toLowerCase() === derived.commitment]);
  if (kept.seed) all.push(["It uses the seed you sent", kept.seed.toLowerCase() === reveal.player_seed]);
  if (kept.replay) {
    const { variant, deal } = kept.replay;
    const same = deal.number ? deal.number === reveal.number : deal.commitment === derived.commitment;
    const wrong = difference(kept.replay, derived.pack, setAside);
    all.push(["The replay is one of this deal", variant === reveal.variant && same]);
    all.push([`The replay shows these cards${wrong ? `, except ${wrong}` : ""}`, wrong === null]);
  }
  if (derived.commitment) all.push(["The commitment is the SHA-256 of the service’s seed", reveal.commitment === derived.commitment]);
  all.push([reveal.number ? "The seed follows from the number" : "The seed follows from both sides’ seeds", reveal.seed === derived.seed]);
  all.push(["The pack follows from the seed", JSON.stringify(reveal.pack) === JSON.stringify(derived.pack)]);
  return all;
}
