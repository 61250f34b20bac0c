/** A part of a regular expression. */
export type Node =
  | { type: 'character'; isFit(character: string): boolean }
  | { type: 'sequence'; nodes: Node[] }
  | { type: 'choice'; nodes: Node[] }
  | { type: 'repeat'; node: Node; min: number; max: number; isLazy: boolean }
  | { type: 'look'; node: Node; isBehind: boolean; isNegative: boolean }
  | { type: 'place'; sign: string };

/** One character: an escape, a class, or itself. */
const character = /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|./isy;
const place = /\^|\$|\\b|\\B/y;
const groupStart = /\((?:\?(?::|<?[=!]|<\w+>))?/y;
const quantifier = /(?:([*+?])|\{(\d+)(,)?(\d*)\})(\??)/y;
const backReference = /\\(?:[1-9]|k<)/y;

/** Parses the pattern of a regular expression. */
export function parseExpression(source: string, flags: string): Node {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    at += found?.[0].length ?? 0;
    return found;
  };

  function parseChoice(): Node {
    const nodes = [parseSequence()];
    while (source[at] === '|') {
      at++;
      nodes.push(parseSequence());
    }
    return nodes.length === 1 && nodes[0] ? nodes[0] : { type: 'choice', nodes };
  }

  function parseSequence(): Node {
    const nodes: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')')
      nodes.push(parseRepeat(parseAtom()));
    return { type: 'sequence', nodes };
  }

  function parseRepeat(node: Node): Node {
    const found = take(quantifier);
    if (!found) return node;
    const [, sign, least, comma, most, lazy] = found;
    const min = sign ? Number(sign === '+') : Number(least);
    const max = sign ? (sign === '?' ? 1 : Number.POSITIVE_INFINITY) : toMax(min, comma, most);
    return { type: 'repeat', node, min, max, isLazy: lazy === '?' };
  }

  function parseAtom(): Node {
    // Those of the product refer to one character.
    if (take(backReference)) return { type: 'character', isFit: () => true };
    const sign = take(place)?.[0];
    if (sign) return { type: 'place', sign };
    const start = take(groupStart)?.[0];
    if (start) {
      const node = parseChoice();
      at++;
      const isLook = /[=!]$/.test(start);
      return isLook
        ? { type: 'look', node, isBehind: start.includes('<'), isNegative: start.endsWith('!') }
        : node;
    }
    const text = take(character)?.[0] ?? '';
    const one = new RegExp(`^(?:${text})$`, flags.replace(/[gymd]/g, ''));
    const cache = new Map<string, boolean>();
    return {
      type: 'character',
      isFit(each) {
        const known = cache.get(each) ?? one.test(each);
        cache.set(each, known);
        return known;
      },
    };
  }

  return parseChoice();
}

function toMax(min: number, comma: string | undefined, most: string | undefined): number {
  if (!comma) return min;
  return most ? Number(most) : Number.POSITIVE_INFINITY;
}
