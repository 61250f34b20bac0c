import { describe, expect, test } from '@jest/globals';
import { useServer } from '../support/use-server.ts';

const path = '/api/system/config/dict?type=bank_kind';
const good = 'https://console.example';

const { server } = useServer({
  login: false,
  environment: { CORS_ORIGINS: `${good}, http://localhost:5173` },
});

const ask = (origin: string) => fetch(server.url + path, { headers: { origin } });
const preflight = (origin: string) =>
  fetch(server.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers':
        'authorization, x-language, x-requested-with, mcp-protocol-version, traceparent',
    },
  });

describe('CORS', () => {
  test('lets pages of the configured origins read answers', async () => {
    for (const origin of [good, 'http://localhost:5173']) {
      const { headers } = await ask(origin);

      expect(headers.get('access-control-allow-origin')).toBe(origin);
      for (const name of ['etag', 'www-authenticate']) {
        expect(headers.get('access-control-expose-headers')).toContain(name);
      }
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('answers their preflights', async () => {
    const { status, headers } = await preflight(good);

    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(good);
    for (const name of ['authorization', 'x-requested-with', 'mcp-protocol-version', 'traceparent']) {
      expect(headers.get('access-control-allow-headers')).toContain(name);
    }
    expect(headers.get('access-control-allow-methods')).toContain('GET');
  });

  test('sends no CORS headers to other origins', async () => {
    for (const origin of ['https://evil.example', `${good}.evil.example`, 'null']) {
      const simple = await ask(origin);
      const asked = await preflight(origin);

      expect(simple.headers.get('access-control-allow-origin')).toBeNull();
      expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
