import { AppError } from '#shared/errors/app-error.ts';
import { ObjectExistsError } from '#shared/storage/engine.ts';
import { type EngineName, engineNames, type NamedEngine } from '#shared/storage/engines.ts';

type Operation = 'put' | 'stat' | 'readRange' | 'delete';

/** A storage engine that keeps its objects in this process. */
export interface MemoryEngine extends NamedEngine {
  objects: Map<string, Uint8Array>;
  /** Calls, as `delete uploads/…`. */
  calls: string[];
  /** Runs before each operation; if it throws, the operation fails. */
  before(operation: Operation, key: string): Promise<void> | void;
  /** The part of the sent bytes that is stored. */
  distort(bytes: Uint8Array): Uint8Array;
}

export const unreachable = () => new AppError('storage.unavailable', { cause: new Error('no route to it') });

export function createMemoryEngine(name: EngineName): MemoryEngine {
  const objects = new Map<string, Uint8Array>();
  const begin = async (operation: Operation, key: string) => {
    engine.calls.push(`${operation} ${key}`);
    await engine.before(operation, key);
  };
  const unused = () => Promise.reject(new Error('not part of this double'));
  const engine: MemoryEngine = {
    name,
    objects,
    calls: [],
    before: () => {},
    distort: (bytes) => bytes,
    async put(key, bytes) {
      await begin('put', key);
      if (objects.has(key)) throw new ObjectExistsError();
      objects.set(key, engine.distort(bytes).slice());
    },
    async stat(key) {
      await begin('stat', key);
      const bytes = objects.get(key);
      return bytes && { sizeBytes: bytes.length };
    },
    async readRange(key, start, end) {
      await begin('readRange', key);
      const bytes = objects.get(key);
      if (!bytes) throw unreachable();
      return bytes.slice(start, end);
    },
    async delete(key) {
      await begin('delete', key);
      objects.delete(key);
    },
    directTicket: unused,
    finalise: unused,
    publicUrl: (key) => (name === 'local' ? `storage/${key}` : `https://${name}.example.com/${key}`),
    origins: unused,
  };
  return engine;
}

/** One for each engine of the service. */
export function createMemoryEngines(): Record<EngineName, MemoryEngine> {
  const entries = engineNames.map((name) => [name, createMemoryEngine(name)] as const);
  return Object.fromEntries(entries) as Record<EngineName, MemoryEngine>;
}
