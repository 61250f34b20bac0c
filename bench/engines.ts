import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageEngine } from '../shared/storage/engine.ts';
import { clouds } from '../test/doubles/clouds.ts';
import { compare, type Series } from './statistics.ts';

/** The size of a form upload that is measured, in bytes. */
const sizeBytes = 1_048_576;
const warmUps = 5;

/** The calls of an upload by form, of a direct one, and of a deletion. */
const calls = ['put', 'directTicket', 'finalise', 'delete'] as const;
type Call = (typeof calls)[number];

/** Milliseconds of each call of an engine, beside those of the local one in the same turn. */
export interface EngineFigures {
  name: string;
  series: Record<Call, Series>;
}

type Turns = Record<Call, number[]>;

/**
 * Measures the engines on a file of 1 MB, in turn. The clouds are doubles in this process: their own time and the network
 * are not in it, while signing, sending and reading answers are.
 *
 * @param turns of each engine
 */
export async function measureEngines(turns: number): Promise<EngineFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-engines-'));
  const secret = () => randomBytes(32).toString('hex');
  Object.assign(process.env, {
    APP_KEY: secret(),
    TABLE_NAME: 'bench',
    PUBLIC_URL: 'http://localhost',
    UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
    UPSTASH_REDIS_REST_TOKEN: secret(),
    STORAGE_DIR: folder,
  });
  const { engines } = await import('../shared/storage/engines.ts');
  const { linkStorage } = await import('../shared/storage/engines/local/folders.ts');
  linkStorage(folder);
  const started = await Promise.all(Object.values(clouds).map((start) => start()));
  try {
    const opened: [string, StorageEngine][] = [['local', await engines.local.open()]];
    for (const { name, settings } of started) {
      const engine = await engines[name].openWith?.(settings);
      if (engine) opened.push([name, engine]);
    }
    const measured = new Map(opened.map(([name]) => [name, emptyTurns()]));
    for (let turn = -warmUps; turn < turns; turn += 1) {
      for (const [name, engine] of opened)
        await measureTurn(engine, turn < 0 ? emptyTurns() : measured.get(name));
    }
    const base = measured.get('local') ?? emptyTurns();
    return [...measured].map(([name, each]) => ({ name, series: compareAll(each, base) }));
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const emptyTurns = (): Turns => ({ put: [], directTicket: [], finalise: [], delete: [] });

const compareAll = (turns: Turns, base: Turns): EngineFigures['series'] => ({
  put: compare(turns.put, base.put),
  directTicket: compare(turns.directTicket, base.directTicket),
  finalise: compare(turns.finalise, base.finalise),
  delete: compare(turns.delete, base.delete),
});

async function measureTurn(engine: StorageEngine, into: Turns = emptyTurns()): Promise<void> {
  const { createObjectPath } = await import('../shared/storage/naming/object-path.ts');
  const key = createObjectPath({ type: 'image', ext: 'png' });
  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  const partUrl = 'http://localhost/api/system/upload/part';
  const upload = { key, contentType: 'image/png', sizeBytes, expiresAt, ticket: 'ticket', partUrl };
  const bytes = randomBytes(sizeBytes);
  into.put.push(await time(() => engine.put(key, bytes, 'image/png')));
  into.directTicket.push(await time(() => engine.directTicket(upload)));
  into.finalise.push(await time(() => engine.finalise(key, sizeBytes)));
  into.delete.push(await time(() => engine.delete(key)));
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** A table: the median of each call in milliseconds. */
export function renderEngines(figures: readonly EngineFigures[]): string {
  const rows = figures.map(({ name, series }) =>
    [
      name,
      ...calls.map((call) => `${series[call].value.toFixed(2)} (${series[call].ratio.toFixed(1)})`),
    ].join(' | '),
  );
  return [
    'Storage engines: p50 in ms of each call on a file of 1 MB, in parentheses over `local`.',
    '',
    `| engine | ${calls.join(' | ')} |`,
    `|---|${calls.map(() => '---:|').join('')}`,
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
