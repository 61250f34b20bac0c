import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildConsole } from '#cli/console/build-console.ts';
import { useServer } from '../support/use-server.ts';
import { malformed } from './wire/malformed.ts';
import { findGatewayFault, isOfFunction, runWire } from './wire/run-wire.ts';
import { sendRaw, toBytes } from './wire/send-raw.ts';
import { administrator } from './wire/start-server.ts';

// The same inputs in every run, so a new failure has a new cause. `npm run hostile` uses random ones.
const seed = Number(process.env.HOSTILE_SEED ?? 1);
const count = 200;

beforeAll(() => buildConsole(), 120_000);
const { server } = useServer({
  login: false,
  environment: {
    ADMIN_PASSWORD: administrator.password,
    ALLOW_PRIVATE_ENDPOINTS: '1',
    THROTTLE_FACTOR: '1000000',
  },
});
let port: number;

beforeAll(() => {
  port = Number(new URL(server.url).port);
});

const askHealth = async () => (await sendRaw(port, toBytes({ method: 'GET', path: '/health' })))?.status;

test(`${count} generated requests over HTTP get documented answers`, async () => {
  const target = { port, dataDir: server.dataDir, administrator };

  const { faults, answered } = await runWire(target, { seed, count });

  expect([faults, faults.length > 0 ? `HOSTILE_SEED=${seed}` : '']).toEqual([[], '']);
  expect(answered).toBeGreaterThan(count / 2);
}, 300_000);

describe('invalid HTTP', () => {
  test.each(Object.entries(malformed))(
    '%s is refused or cut, and the server goes on',
    async (_title, text) => {
      const answer = await sendRaw(port, Buffer.from(text, 'latin1'), true);

      expect(findGatewayFault(answer)).toBeUndefined();
      expect(answer?.body.toString() ?? '').not.toMatch(/node_modules|\bat .+:\d+:\d+/);
      expect(await askHealth()).toBe(200);
    },
  );

  test('a request hidden in another is answered separately, without a login', async () => {
    const hidden = Buffer.from(malformed['a request in the body of another'] ?? '', 'latin1');

    const answer = await sendRaw(port, hidden);

    expect(answer && isOfFunction(answer)).toBe(true);
    expect(answer?.status).toBe(422);
    expect(answer?.body.toString()).toContain('auth.token_missing');
  });
});
