import type { Node } from './parse-expression.ts';

/** The parts of a growing text: prefix, repeated part, suffix. */
export interface Attack {
  before: string;
  repeated: string;
  behind: string;
}

/** Characters that classes are tried with, besides those of the expression itself. */
const alphabet = ' \t\n\r"\'-_./:=<>&+%*\\aAzZfFxX019文😀\u0000';
/** Suffixes that make a match fail, and the empty one, which lets it succeed. */
const endings = ['', '\u0000', '!', '\n', ' ', 'a'];
/** More repetitions than these count as endless. */
const many = 50;

/** Texts that could make an expression take more than linear time, by the places where it repeats. */
export function listAttacks(root: Node, source: string): Attack[] {
  const characters = [...new Set([...source, ...alphabet])];
  const attacks: Attack[] = characters.map((each) => ({ before: '', repeated: each, behind: '' }));

  const sample = (node: Node): string => samples(node)[0] ?? '';

  function samples(node: Node): string[] {
    switch (node.type) {
      case 'character':
        return characters.filter((each) => node.isFit(each)).slice(0, 12);
      case 'sequence':
        return [node.nodes.map(sample).join('')];
      case 'choice':
        return node.nodes.flatMap(samples);
      case 'repeat':
        return samples(node.node).map((each) => each.repeat(Math.min(Math.max(node.min, 0), many)));
      default:
        return [''];
    }
  }

  function visit(node: Node, before: string): void {
    if (node.type === 'choice') for (const each of node.nodes) visit(each, before);
    if (node.type === 'sequence') {
      let reached = before;
      for (const each of node.nodes) {
        visit(each, reached);
        reached += sample(each);
      }
    }
    if (node.type !== 'repeat') return;
    visit(node.node, before);
    if (node.max < many) return;
    for (const repeated of samples(node.node).filter((each) => each !== '')) {
      for (const behind of endings) {
        attacks.push({ before, repeated, behind });
        attacks.push({ before: '', repeated: before + repeated, behind });
      }
    }
  }

  visit(root, '');
  return attacks;
}
