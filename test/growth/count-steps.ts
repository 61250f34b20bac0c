import type { Node } from './parse-expression.ts';

/** An expression takes too many steps to count. */
export class EndlessError extends Error {}

type Repeat = Extract<Node, { type: 'repeat' }>;
/** What to do with the rest of a text from a position on; true if it fits. */
type Go = (at: number) => boolean;

/**
 * Counts the characters that a backtracking matcher, such as V8's, looks at to find an expression in a text.
 *
 * @param flags with `g`, every match is looked for, as `replace` does
 * @throws EndlessError above `limit`
 */
export function countSteps(root: Node, flags: string, text: string, limit = 1_000_000): number {
  const characters = Array.from(text);
  const isWord = (at: number) => /\w/.test(characters[at] ?? '');
  let steps = 0;

  function match(node: Node, at: number, go: Go): boolean {
    switch (node.type) {
      case 'character': {
        if (++steps > limit) throw new EndlessError();
        const each = characters[at];
        return each !== undefined && node.isFit(each) && go(at + 1);
      }
      case 'sequence':
        return matchAll(node.nodes, 0, at, go);
      case 'choice':
        return node.nodes.some((each) => match(each, at, go));
      case 'repeat':
        return node.node.type === 'character' ? repeatCharacter(node, at, go) : repeat(node, 0, at, go);
      case 'look':
        return look(node, at) !== node.isNegative && go(at);
      case 'place':
        steps++;
        return isAt(node.sign, at) && go(at);
    }
  }

  const matchAll = (nodes: readonly Node[], index: number, at: number, go: Go): boolean => {
    const node = nodes[index];
    return node ? match(node, at, (next) => matchAll(nodes, index + 1, next, go)) : go(at);
  };

  function repeat(node: Repeat, count: number, at: number, go: Go): boolean {
    const more = () =>
      count < node.max &&
      match(node.node, at, (next) => (next > at || count < node.min) && repeat(node, count + 1, next, go));
    const enough = () => count >= node.min && go(at);
    return node.isLazy ? enough() || more() : more() || enough();
  }

  /** As `repeat`, without a call for each character, of which a stack has room for some thousands. */
  function repeatCharacter(node: Repeat, at: number, go: Go): boolean {
    const isNext = (end: number) => end - at < node.max && match(node.node, end, () => true);
    let end = at;
    while (end - at < node.min) {
      if (!isNext(end)) return false;
      end++;
    }
    const least = end;
    if (node.isLazy) {
      while (!go(end)) {
        if (!isNext(end)) return false;
        end++;
      }
      return true;
    }
    while (isNext(end)) end++;
    for (; end >= least; end--) if (go(end)) return true;
    return false;
  }

  function look({ node, isBehind }: Extract<Node, { type: 'look' }>, at: number): boolean {
    if (!isBehind) return match(node, at, () => true);
    // The product's lookbehinds have one character.
    return match(node, at - 1, (next) => next === at);
  }

  function isAt(sign: string, at: number): boolean {
    if (sign === '^') return at === 0 || (flags.includes('m') && characters[at - 1] === '\n');
    if (sign === '$') return at === characters.length || (flags.includes('m') && characters[at] === '\n');
    return (isWord(at - 1) !== isWord(at)) === (sign === '\\b');
  }

  for (let at = 0; at <= characters.length; ) {
    let end: number | undefined;
    const isFound = match(root, at, (next) => {
      end = next;
      return true;
    });
    if (isFound && !/[gy]/.test(flags)) break;
    // A sticky expression matches only at `lastIndex`.
    if (!isFound && flags.includes('y')) break;
    at = isFound && end !== undefined && end > at ? end : at + 1;
  }
  return steps;
}
