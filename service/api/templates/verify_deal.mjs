// Repeats the shuffle of a revealed deal, by scheme asterism-deal/1.
const ascii = (text) => new TextEncoder().encode(text);
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (...parts) => new Uint8Array(
  await crypto.subtle.digest("SHA-256", Uint8Array.from(parts.flatMap((part) => [...part]))));

async function hmac(key, ...parts) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const ours = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const data = Uint8Array.from(parts.flatMap((part) => [...part]));
  return new Uint8Array(await crypto.subtle.sign("HMAC", ours, data));
}

async function* numbers(seed) {
  for (let block = 0; ; block++) {
    const counter = bytes(block.toString(16).padStart(8, "0"));
    const drawn = new DataView((await hmac(seed, ascii("asterism-shuffle/1"), counter)).buffer);
    for (let place = 0; place < 32; place += 4) yield drawn.getUint32(place);
  }
}

export async function derive({ variant, number, server_seed, player_seed }, setAside) {
  const secret = bytes(server_seed ?? "");
  const commitment = number ? null : hex(await sha256(ascii("asterism-deal/1|"), secret));
  const seed = number ? await sha256(ascii(`asterism-deal/1|${variant}|${number}`))
    : await hmac(secret, bytes(player_seed));
  const pack = [..."CDHSCDHS"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
  for (const card of setAside) pack.splice(pack.indexOf(card), 1);
  const stream = numbers(seed);
  for (let last = pack.length - 1; last > 0; last--) {
    const limit = 2 ** 32 - (2 ** 32 % (last + 1));
    let drawn = (await stream.next()).value;
    while (drawn >= limit) drawn = (await stream.next()).value;
    const other = drawn % (last + 1);
    [pack[last], pack[other]] = [pack[other], pack[last]];
  }
  return { commitment, seed: hex(seed), pack };
}
