import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type RunningDouble, serveRaw } from '../doubles/serve.ts';
import { projectRoot, type RunningServer, shareLocalServer } from '../support/local-server.ts';
import { runService } from '../support/run-service.ts';

// `npm run service -- stage:check URL` against the local server, and against another server.

jest.setTimeout(120_000);

let server: RunningServer;
let other: RunningDouble;

beforeAll(async () => {
  server = await shareLocalServer();
  other = await serveRaw((_incoming, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('<p>Welcome</p>');
  });
});

afterAll(() => other.stop());

test('a running service passes, except for what only a deployed one has', async () => {
  const { code, printed, complaint } = await runService(projectRoot, {}, 'stage:check', server.url);

  const failed = printed.split('\n').filter((line) => !line.startsWith('ok '));
  expect(failed).toEqual([
    expect.stringContaining('FAILED     only over HTTPS (HSTS): GET /health'),
    expect.stringMatching(/^FAILED {5}PUBLIC_URL: GET \/openapi.json: the service says http:\/\/localhost:/),
  ]);
  expect({ code, complaint }).toEqual({ code: 1, complaint: '2 of 12 checks failed.' });
});

test('another server fails every check', async () => {
  const { code, complaint } = await runService(projectRoot, {}, 'stage:check', `${other.url}/`);

  expect({ code, complaint }).toEqual({ code: 1, complaint: '12 of 12 checks failed.' });
});

test('a server that is not there is named once a check, and a text that is no URL is refused', async () => {
  const { code, printed } = await runService(projectRoot, {}, 'stage:check', 'http://127.0.0.1:1');
  expect(code).toBe(1);
  expect(printed.split('\n').filter((line) => /ECONNREFUSED|bad port/.test(line))).toHaveLength(12);

  expect((await runService(projectRoot, {}, 'stage:check', 'example.com')).code).toBe(2);
});
