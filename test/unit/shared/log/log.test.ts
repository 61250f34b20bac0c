import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type * as Log from '#shared/log/log.ts';

const deployed = {
  AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001',
  AWS_LAMBDA_LOG_GROUP_NAME: '/backend/prod/core',
};

let printed: string[];
let written: string[];

beforeEach(() => {
  [printed, written] = [[], []];
  for (const level of ['info', 'warn', 'error'] as const) {
    jest.spyOn(console, level).mockImplementation((line) => void printed.push(String(line)));
  }
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    written.push(String(line));
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The log of a process with these settings. */
async function openLog(
  environment: Record<string, string> = {},
  begin: (module: typeof Log) => void = () => {},
): Promise<typeof Log.log> {
  const before = { ...process.env };
  const settings = { APP_KEY: 'k'.repeat(32), TABLE_NAME: 'table', PUBLIC_URL: 'http://localhost' };
  const cache = { UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9', UPSTASH_REDIS_REST_TOKEN: 'x' };
  Object.assign(process.env, settings, cache, { LOG_LEVEL: 'info' }, environment);
  let log: typeof Log.log | undefined;
  await jest.isolateModulesAsync(async () => {
    const module = await import('#shared/log/log.ts');
    log = module.log;
    log.debug('opened');
    begin(module);
  });
  for (const name of Object.keys(environment)) delete process.env[name];
  Object.assign(process.env, before);
  if (!log) throw new Error('no log was opened');
  return log;
}

describe('output of libraries', () => {
  const own = { ...console };
  afterEach(() => {
    Object.assign(console, own);
  });

  test('is a line of JSON without secrets, deployed', async () => {
    await openLog(deployed, ({ captureConsole }) => captureConsole());

    console.warn('warning: %s', 'old', { token: 'abcdef' });
    console.log('Tip');

    expect(written.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        event: 'console',
        time: expect.any(String),
        message: expect.stringMatching(/^warning: old/),
      },
      { level: 'info', event: 'console', time: expect.any(String), message: 'Tip' },
    ]);
    expect(written.join()).not.toContain('abcdef');
    expect(printed).toEqual([]);
  });

  test('is not changed locally', async () => {
    await openLog({}, ({ captureConsole }) => captureConsole());

    console.warn('as it is');

    expect([printed, written]).toEqual([['as it is'], []]);
  });
});

describe('a line', () => {
  test('is JSON with level, event, time and fields', async () => {
    const log = await openLog();

    log.info('request', { status: 200, cold_start: true });

    expect(printed.map((line) => JSON.parse(line))).toEqual([
      { level: 'info', event: 'request', time: expect.any(String), status: 200, cold_start: true },
    ]);
  });

  test('masks secrets in fields, errors and causes', async () => {
    const log = await openLog();
    const cause = new Error('POST /sms?signature=abcdef for 13812345678');

    log.error('sms.failed', { password: 'hunter2', error: new Error('Bearer abcdef', { cause }) });

    expect(printed.join()).not.toMatch(/hunter2|abcdef|13812345678/);
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({
      error: 'Error: Bearer ******',
      cause: { error: 'Error: POST /sms?signature=****** for 138****5678' },
    });
  });

  const untellable = {
    toString() {
      throw new Error('no');
    },
  };
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const unreadable = new Error('x');
  Object.defineProperty(unreadable, 'message', { get: () => untellable.toString() });

  test.each([
    ['an object without a prototype', Object.create(null)],
    ['an object whose text cannot be had', untellable],
    ['an error whose message cannot be read', unreadable],
    ['a circle', circle],
    ['a symbol', Symbol('s')],
    ['a big number', 12n],
    ['null', null],
    ['nothing but false', false],
  ])('can be written of %s, thrown or passed', async (_title, value) => {
    const log = await openLog();

    log.error('internal', { error: value, value });

    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ event: 'internal', error: expect.any(String) });
  });

  test('is pure JSON if the service is deployed, for log filters', async () => {
    const log = await openLog(deployed);

    log.warn('health.down', { store: 'cache' });

    expect(printed).toEqual([]);
    expect(written.map((line) => line.endsWith('}\n') && JSON.parse(line))).toEqual([
      { level: 'warn', event: 'health.down', time: expect.any(String), store: 'cache' },
    ]);
  });
});

describe('metrics', () => {
  test('are in a line of a deployed service', async () => {
    const log = await openLog(deployed);

    log.info('request', { function: 'a-list' }, { Requests: 1, Duration: 12.5 });

    expect(JSON.parse(written[0] ?? '')).toMatchObject({
      stage: 'prod',
      Requests: 1,
      Duration: 12.5,
      _aws: { CloudWatchMetrics: [{ Namespace: 'backend', Dimensions: [['stage']] }] },
    });
  });

  test('count a cache that is away, for each of its events', async () => {
    const log = await openLog(deployed);

    log.warn('cache.read_failed', { error: new Error('away') });

    expect(JSON.parse(written[0] ?? '')).toMatchObject({ CacheUnavailable: 1 });
  });

  test('are left out locally', async () => {
    const log = await openLog();

    log.info('request', {}, { Requests: 1 });

    expect(printed.join()).not.toMatch(/_aws|Requests/);
  });
});
