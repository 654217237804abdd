/** A player's seed for a deal that nobody can choose. */

const [SHORTEST, LONGEST] = [16, 64]; // bytes

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Random bytes in hexadecimal digits. */
export const randomSeed = () => hex(crypto.getRandomValues(new Uint8Array(SHORTEST)));

/**
 * The seed that a text stands for: itself if it is one in hexadecimal digits; else its bytes in
 * UTF-8, filled up with zeros or cut.
 * @param {string} text
 */
export function seedFrom(text) {
  if (/^([0-9a-f]{2}){16,64}$/.test(text)) return text;
  const bytes = new TextEncoder().encode(text).slice(0, LONGEST);
  const filled = new Uint8Array(Math.max(SHORTEST, bytes.length));
  filled.set(bytes);
  return hex(filled);
}
