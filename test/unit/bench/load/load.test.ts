import { describe, expect, test } from '@jest/globals';
import type { LoadAnswer, LoadClient } from '../../../../bench/load/client.ts';
import { drive, mixKinds } from '../../../../bench/load/drive.ts';
import {
  addAnswer,
  createTally,
  describeTally,
  renderTable,
  sumTallies,
} from '../../../../bench/load/tally.ts';
import { createTraffic, findEnvelopeFault, findRpcFault } from '../../../../bench/load/traffic.ts';

const good = { code: 'ok', message: 'ok', data: null, request_id: 'r' };
const answer = (json: unknown, status = 200, requestId = 'r'): LoadAnswer => ({ status, requestId, json });

describe('an answer', () => {
  test('is good in its envelope, with its request ID', () => {
    expect(findEnvelopeFault(answer(good))).toBeUndefined();
  });

  test.each([
    [answer({ ...good, code: 'throttle.exceeded' }, 429), '429 throttle.exceeded'],
    [answer({ ...good, code: 'internal' }, 500), '500 internal'],
    [answer(undefined, 502), '502 without envelope'],
    [answer({ code: 'ok', message: 'ok', request_id: 'r' }), '200 broken envelope'],
    [answer({ ...good, request_id: 'other' }), '200 broken envelope'],
    [answer({ ...good, request_id: '' }, 200, ''), '200 broken envelope'],
  ])('is reported by status and code if it is unexpected: %j', (given, fault) => {
    expect(findEnvelopeFault(given)).toBe(fault);
  });

  test('of RPC has a result', () => {
    expect(findRpcFault(answer({ jsonrpc: '2.0', id: 1, result: {} }))).toBeUndefined();
    expect(findRpcFault(answer({ jsonrpc: '2.0', id: 1, error: { code: -32603 } }))).toBe('200 -32603');
    expect(findRpcFault(answer({ ...good, code: 'auth.token_invalid' }, 401))).toBe('401 auth.token_invalid');
    expect(findRpcFault(answer(undefined))).toBe('200 without result');
  });
});

describe('a tally', () => {
  test('counts, measures and names what went wrong', () => {
    const [one, other] = [createTally(), createTally()];
    for (let ms = 1; ms <= 99; ms += 1) addAnswer(one, ms);
    addAnswer(other, 1000, '500 internal');

    const [count, rate, p50, p99, p999, wrong] = describeTally(sumTallies([one, other, createTally()]), 10);

    expect([count, rate, wrong]).toEqual(['100', '10', '500 internal ×1']);
    expect(Number(p50)).toBeCloseTo(50, 0);
    expect(Number(p99)).toBeCloseTo(99, 0);
    expect(Number(p999)).toBeGreaterThan(990);
  });

  test('of nothing is a row too', () => {
    expect(describeTally(createTally(), 1)).toEqual(['0', '0', '0.0', '0.0', '0.0', '–']);
  });

  test('is a table of Markdown, all lines as long', () => {
    const lines = renderTable('kind', [['login', ...describeTally(createTally(), 1)]]).split('\n');

    expect(lines).toHaveLength(3);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});

describe('the mix', () => {
  const kinds = createTraffic('token', { account: 'root', password: 'secret' });

  test('has each kind as often as its weight says, never all at once', () => {
    const mix = mixKinds(kinds);
    const first = mix.slice(0, 10).map(({ name }) => name);

    for (const { name, weight } of kinds)
      expect(mix.filter((kind) => kind.name === name)).toHaveLength(weight);
    expect(new Set(first).size).toBeGreaterThan(3);
  });

  test('is driven until the time is over, and reports what fails', async () => {
    const asked: string[] = [];
    const client: LoadClient = {
      ask: async ({ path }) => {
        await new Promise((resolve) => setImmediate(resolve));
        asked.push(path);
        if (path.startsWith('/api/article')) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        return path.startsWith('/api/') ? answer(good) : answer({ ...good, code: 'internal' }, 500);
      },
      close: () => {},
    };

    const tallies = await drive(client, kinds, [{ name: 'visitor', version: 1 }], 0.3);

    const faultsOf = (name: string) => [...(tallies.get(name)?.faults.keys() ?? [])];
    expect(faultsOf('public dictionary')).toEqual([]);
    expect(faultsOf('public articles')).toEqual(['connection ECONNRESET']);
    expect(faultsOf('list of files')).toEqual(['500 internal']);
    expect(sumTallies([...tallies.values()]).times.count).toBe(asked.length);
  });
});
