import type { Access } from './access.ts';

/** Every key of the service begins with it. */
const keyPrefix = 'service:';

/** The commands in a body of Upstash's protocol: one, or a pipeline. A script counts as one. */
export function accountCache(body: string): { commands: number; accesses: Access[] } {
  const parsed: unknown = JSON.parse(body);
  const list = Array.isArray(parsed) ? parsed : [];
  const commands: unknown[] = Array.isArray(list[0]) ? list : [list];
  const asked = commands.map((command) => (Array.isArray(command) ? command.map(String) : []));
  const counted = asked.filter(([name]) => name?.toUpperCase() !== 'PING');
  const keys = counted.flatMap((parts) => parts.filter((part) => part.startsWith(keyPrefix)));
  return {
    commands: counted.length,
    accesses: [...new Set(keys)].map((key) => ({ place: 'cache', key, readUnits: 0, writeUnits: 0 })),
  };
}
