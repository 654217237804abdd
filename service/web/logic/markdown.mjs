/** The Markdown of the rules, in parts that can be drawn without HTML in strings. */

/**
 * @typedef {{ style: "text" | "strong" | "em" | "code", text: string }} Span
 * @typedef {{ tag: "h1" | "h2" | "h3" | "p" | "li", spans: Span[] }} Block
 */

const SPAN = /\*\*(?<strong>[^*]+)\*\*|\*(?<em>[^*]+)\*|`(?<code>[^`]+)`/g;

/**
 * The blocks of a text: headings, paragraphs and items.
 * @param {string} text
 * @returns {Block[]}
 */
export const blocksOf = (text) =>
  text
    .split(/\n{2,}|\n(?=- )/)
    .map((block) => block.trim())
    .filter(Boolean)
    .map((block) => {
      const heading = /^(#{1,3}) /.exec(block)?.[1];
      if (heading)
        return {
          tag: /** @type {Block["tag"]} */ (`h${heading.length}`),
          spans: spansOf(block.slice(heading.length + 1)),
        };
      return block.startsWith("- ")
        ? { tag: "li", spans: spansOf(block.slice(2)) }
        : { tag: "p", spans: spansOf(block) };
    });

/**
 * @param {string} text
 * @returns {Span[]}
 */
function spansOf(text) {
  /** @type {Span[]} */
  const spans = [];
  let end = 0;
  for (const match of text.matchAll(SPAN)) {
    if (match.index > end) spans.push({ style: "text", text: text.slice(end, match.index) });
    const [style, inner] = Object.entries(match.groups ?? {}).find(([, value]) => value) ?? [
      "text",
      "",
    ];
    spans.push({ style: /** @type {Span["style"]} */ (style), text: inner });
    end = match.index + match[0].length;
  }
  if (end < text.length) spans.push({ style: "text", text: text.slice(end) });
  return spans;
}
