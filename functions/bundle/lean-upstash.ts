import type { Program } from '@babel/types';
import type { Plugin } from 'esbuild';
import { commands } from '#shared/cache/protocol.ts';
import { type ParsedSource, parseSource, rangeOf, removeRanges } from './parse-source.ts';

/**
 * Builds functions without the unused members of Upstash's client and without its HTTP client, which ours replaces:
 * 72 KB of the start of each function. A bundler cannot do it, because it keeps every member of a class.
 */
export const leanUpstash: Plugin = {
  name: 'lean-upstash',
  setup(build) {
    build.onLoad({ filter: /@upstash[\\/]redis[\\/]nodejs\.mjs$/ }, ({ path }) => ({
      contents: `export { Redis } from ${JSON.stringify(findClientFile(parseSource(path).tree))};`,
    }));
    build.onLoad({ filter: /@upstash[\\/]redis[\\/]chunk-\w+\.mjs$/ }, ({ path }) => ({
      contents: stripMembers(parseSource(path), path),
    }));
  },
};

/** The file that the package's client for Node imports the common one from. */
function findClientFile({ body }: Program): string {
  for (const each of body) {
    if (each.type !== 'ImportDeclaration') continue;
    if (each.specifiers.some(({ local }) => local.name === 'Redis')) return each.source.value;
  }
  throw new Error('@upstash/redis imports no Redis: adapt lean-upstash.ts');
}

/** Removes the members that are neither used commands nor a part of the constructor. */
export function stripMembers({ code, tree }: ParsedSource, file: string): string {
  const missing = new Set<string>(commands);
  const unused = listClientMembers(tree).filter((member) => {
    // Fields without a value are set by the constructor.
    const isConstructor = member.type === 'ClassMethod' && member.kind === 'constructor';
    if (isConstructor || (member.type === 'ClassProperty' && !member.value)) return false;
    return !('key' in member && member.key.type === 'Identifier' && missing.delete(member.key.name));
  });
  if (unused.length > 0 && missing.size === 0) return removeRanges(code, unused.map(rangeOf));
  throw new Error(`${file}: class Redis has another form, without ${[...missing]}: adapt lean-upstash.ts`);
}

function listClientMembers({ body }: Program) {
  const declared = body.flatMap((each) => (each.type === 'VariableDeclaration' ? each.declarations : []));
  const client = declared.find(({ id }) => id.type === 'Identifier' && id.name === 'Redis')?.init;
  return client?.type === 'ClassExpression' ? client.body.body : [];
}
