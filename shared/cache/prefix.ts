import { type Command, commands, type Reply, type Transport } from './protocol.ts';

type CommandName = (typeof commands)[number];

/** Which arguments of a command are keys, counted from its name. */
const keys: Record<CommandName, 'first' | 'all' | 'counted' | 'pattern' | 'none'> = {
  del: 'all',
  eval: 'counted',
  evalsha: 'counted',
  expire: 'first',
  get: 'first',
  incr: 'first',
  mget: 'all',
  ping: 'none',
  pttl: 'first',
  scan: 'pattern',
  set: 'first',
  zrem: 'first',
};

const readName = ([name]: Command): CommandName => {
  const known = commands.find((each) => each === name.toLowerCase());
  if (known) return known;
  throw new Error(`the keys of the command ${name} are not known`);
};

/** Whether the argument at an index is a key, or a pattern of keys. */
function isKey(command: Command, index: number): boolean {
  switch (keys[readName(command)]) {
    case 'first':
      return index === 1;
    case 'all':
      return index > 0;
    case 'counted':
      return index > 2 && index < 3 + Number(command[2]);
    case 'pattern':
      return index > 1 && String(command[index - 1]).toLowerCase() === 'match';
    default:
      return false;
  }
}

/** The reply of `scan` is the only one that names keys. */
function withoutPrefix(command: Command, reply: Reply, prefix: string): Reply {
  if (readName(command) !== 'scan' || !Array.isArray(reply.result)) return reply;
  const [cursor = null, found] = reply.result;
  const names = Array.isArray(found) ? found.map((key) => String(key).slice(prefix.length)) : [];
  return { ...reply, result: [cursor, names] };
}

/**
 * Puts a prefix before all keys, so that several stages can share a cache.
 *
 * @param prefix without the signs of a pattern: `pr-12:`
 * @throws Error for a command whose keys are not known
 */
export const withPrefix =
  (transport: Transport, prefix: string): Transport =>
  async (pipeline) => {
    const replies = await transport(
      pipeline.map((command): Command => {
        const [name, ...parts] = command;
        return [name, ...parts.map((part, at) => (isKey(command, at + 1) ? `${prefix}${part}` : part))];
      }),
    );
    return replies.map((reply, index) => withoutPrefix(pipeline[index] ?? ['ping'], reply, prefix));
  };
