import { expect, test } from '@jest/globals';
import { copyProject } from '../support/project-copy.ts';
import { runServerless } from '../support/run-service.ts';
import { useServer } from '../support/use-server.ts';

// `serverless invoke local` beside the running local server.

const { root } = copyProject();

const { server } = useServer({ login: false, root });
/** Invokes a function. @returns its answer */
async function invoke(...args: string[]) {
  const result = await runServerless(root, { DATA_DIR: server.dataDir }, 'invoke', 'local', ...args);
  expect(result).toMatchObject({ code: 0, complaint: '' });
  // The function's own log comes first.
  return JSON.parse(result.printed.slice(result.printed.indexOf('{\n')));
}

test('a route without an event gets one as from the gateway, with the stores of the server', async () => {
  const { statusCode, body } = await invoke('-f', 'system-web-health');

  expect(statusCode).toBe(200);
  const checks = { database: 'up', cache: 'up', disk: 'up' };
  expect(JSON.parse(body).data).toEqual({ status: 'ok', checks });
});

test('the function gets the given event', async () => {
  const event = {
    version: '2.0',
    rawPath: '/api/system/config/dict',
    rawQueryString: 'type=none',
    headers: {},
    requestContext: { http: { method: 'GET', path: '/api/system/config/dict', sourceIp: '203.0.113.7' } },
  };

  const { statusCode } = await invoke('-f', 'system-api-config-dict', '-d', JSON.stringify(event));
  const { statusCode: refused } = await invoke('-f', 'system-api-config-dict');

  expect([statusCode, refused]).toEqual([200, 422]);
});

test.each([
  ['is not JSON', '{broken', /^The event is not a JSON object: .+$/],
  ['is of another kind', '{"Records":[]}', /^system-web-health takes an event of API Gateway.+$/],
])('an event that %s ends in one line', async (_, event, message) => {
  const environment = { DATA_DIR: server.dataDir };
  const args = ['invoke', 'local', '-f', 'system-web-health', '-d', event];

  const { code, complaint, printed } = await runServerless(root, environment, ...args);

  expect(code).toBe(1);
  expect(complaint).toMatch(message);
  expect(printed).toBe('');
});

test('without data, a stream listener gets no records, and a job an empty event', async () => {
  const environment = { DATA_DIR: server.dataDir };
  const { functions } = JSON.parse(
    (await runServerless(root, environment, 'print', '--format', 'json')).printed,
  );
  const kinds = ['stream', 'schedule'].map((kind) =>
    Object.keys(functions).find((name) => functions[name].events.some((event: object) => kind in event)),
  );

  for (const name of kinds) {
    const args = ['invoke', 'local', '-f', String(name)];
    expect(await runServerless(root, environment, ...args)).toMatchObject({ code: 0 });
  }
});
