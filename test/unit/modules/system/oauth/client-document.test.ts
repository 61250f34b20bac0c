import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { checkDocument, readClientUrl, readDocument } from '#modules/System/oauth/client-document.ts';
import { redis } from '#shared/cache/redis.ts';
import { environment } from '#shared/config/environment.ts';
import { createGuardedAgents } from '#shared/net/exchange.ts';
import { misbehaviours, startMisbehaving } from '../../../../doubles/misbehaving.ts';
import { type RunningDouble, serveRaw } from '../../../../doubles/serve.ts';
import { useDatabase } from '../../../../support/database.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

type Handle = (incoming: IncomingMessage, response: ServerResponse) => void;
let double: RunningDouble;
let id: string;
let requests: number;
let handle: Handle;
const serveText = (text: string, type = 'application/json', status = 200): Handle => {
  return (_incoming, response) => void response.writeHead(status, { 'content-type': type }).end(text);
};
const describeClient = (change: object = {}) => ({
  client_id: id,
  client_name: 'Desk client',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
  ...change,
});
const serveClient = (change: object = {}) => serveText(JSON.stringify(describeClient(change)));

beforeEach(async () => {
  requests = 0;
  double = await serveRaw((incoming, response) => {
    requests += 1;
    handle(incoming, response);
  });
  id = `${double.url}/client.json`;
  handle = serveClient();
});
afterEach(async () => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  await double.stop();
});

/** The client, or the reason of its refusal. */
async function read(url = id, agents?: ReturnType<typeof createGuardedAgents>) {
  try {
    return await readDocument(url, agents);
  } catch (error) {
    const { code, params } = Object(error);
    return [code, params?.reason];
  }
}
const refusedFor = (reason: string) => ['oauth.invalid_client', reason];

describe('a client ID metadata document', () => {
  test('describes a client', async () => {
    expect(await read()).toEqual({
      id,
      name: 'Desk client',
      host: new URL(id).host,
      redirectUris: ['http://127.0.0.1/callback'],
    });
  });

  test.each([
    { token_endpoint_auth_method: undefined },
    {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    },
  ])('may say %j: it connects without a secret', async (change) => {
    handle = serveClient(change);

    expect(await read()).toMatchObject({ id, name: 'Desk client' });
  });

  test.each([
    ['another client ID', { client_id: 'https://other.example/client.json' }, 'client_id_mismatch'],
    ['its client ID with a slash', () => ({ client_id: `${id}/` }), 'client_id_mismatch'],
    ['its client ID in other letters', () => ({ client_id: id.toUpperCase() }), 'client_id_mismatch'],
    ['no client ID', { client_id: undefined }, 'document_invalid'],
    ['no redirect URIs', { redirect_uris: undefined }, 'document_invalid'],
    ['an empty list of redirect URIs', { redirect_uris: [] }, 'redirect_uris'],
    ['redirect URIs that are not allowed', { redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
    ['redirect URIs of another type', { redirect_uris: [7] }, 'document_invalid'],
    ['a secret', { token_endpoint_auth_method: 'client_secret_basic' }, 'auth_method'],
    ['a key alone', { token_endpoint_auth_method: 'private_key_jwt' }, 'auth_method'],
    ['no grant of codes', { grant_types: ['implicit'] }, 'grant_types'],
    ['no response by code', { response_types: ['token'] }, 'response_types'],
  ])('is refused with %s', async (_title, change, reason) => {
    handle = serveClient(typeof change === 'function' ? change() : change);

    expect(await read()).toEqual(refusedFor(reason));
  });

  test.each([
    ['of another content type', serveText('{}', 'text/html'), 'not_json'],
    ['with another status', serveText('{}', 'application/json', 404), 'status_404'],
    ['that is not JSON', serveText('<html>'), 'document_invalid'],
    ['that is a list', serveText('[]'), 'document_invalid'],
    ['that is null', serveText('null'), 'document_invalid'],
  ])('is refused %s', async (_title, given, reason) => {
    handle = given;

    expect(await read()).toEqual(refusedFor(reason));
  });

  test('is taken up to 5 KiB', async () => {
    const fill = (size: number) => {
      const text = JSON.stringify(describeClient({ policy: '' }));
      return text.replace('"policy":""', `"policy":"${'x'.repeat(size - text.length)}"`);
    };
    handle = (incoming, response) =>
      serveText(fill(incoming.url === '/client.json' ? 5120 : 5121))(incoming, response);

    expect(await read()).toMatchObject({ name: 'Desk client' });
    expect(await read(`${double.url}/other.json`)).toEqual(refusedFor('too_large'));
  });

  test.each(misbehaviours)('is refused of a server that %s', async (misbehaviour) => {
    const server = await startMisbehaving(misbehaviour);
    const target = await serveRaw(() => {
      throw new Error('a redirect was followed');
    });
    server.redirectTo = target.url;
    if (misbehaviour.startsWith('hangs')) {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
      server.arrived.then(() => jest.advanceTimersByTimeAsync(4000));
    }
    try {
      const [code, reason] = [await read(`${server.url}/client.json`)].flat();

      expect(code).toBe('oauth.invalid_client');
      if (misbehaviour === 'redirects') expect(reason).toBe('redirect');
      if (misbehaviour === 'hangs') expect(reason).toBe('timeout');
      if (misbehaviour === 'answers too much') expect(reason).toBe('too_large');
    } finally {
      await Promise.all([server.stop(), target.stop()]);
    }
  });

  test('is not read from private addresses, also if a name leads there', async () => {
    const lookup = ((_name, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }])) as LookupFunction;
    const agents = createGuardedAgents({ allowPrivate: false, lookup });

    for (const host of ['10.0.0.1', '169.254.169.254', '[::1]', '[fd00::1]', 'name.example']) {
      expect(await read(`https://${host}/client.json`, agents)).toEqual(refusedFor('denied'));
    }
    expect(requests).toBe(0);
  });

  test('is not read from private addresses, also if operators may use them', async () => {
    expect(environment().allowPrivateEndpoints).toBe(true);
    const { port } = new URL(double.url);

    for (const host of ['127.0.0.2', '10.0.0.1', '169.254.169.254', '[fd00::1]']) {
      expect(await read(`https://${host}:${port}/client.json`)).toEqual(refusedFor('denied'));
    }
    expect(requests).toBe(0);
  });

  test('is not read from loopback by a deployed function', async () => {
    jest.replaceProperty(environment(), 'isDeployed', true);

    expect(await read()).toEqual(refusedFor('url_invalid'));
    expect(await read(id.replace('http:', 'https:'))).toEqual(refusedFor('denied'));
    expect(requests).toBe(0);
  });

  test('is kept for 10 minutes, and a refusal for one', async () => {
    const set = jest.spyOn(redis(), 'set');
    await read();
    await read();
    const [bad] = [`${double.url}/bad.json`];
    await read(bad);
    await read(bad);

    expect(requests).toBe(2);
    expect(set.mock.calls.map(([, , options]) => options)).toEqual([{ ex: 600 }, { ex: 60 }]);
  });

  test('is read each time while the cache is away', async () => {
    jest.spyOn(redis(), 'get').mockRejectedValue(new Error('away'));
    jest.spyOn(redis(), 'set').mockRejectedValue(new Error('away'));

    expect([await read(), await read()]).toMatchObject([{ id }, { id }]);
    expect(requests).toBe(2);
  });

  test('names its client without characters that deceive, or by its host', () => {
    const nameOf = (client_name: unknown) =>
      Object(checkDocument(id, JSON.stringify(describeClient({ client_name })))).name;
    const { host } = new URL(id);

    expect(nameOf('A\u202Eevil\u200B\n\u0007 name')).toBe('Aevil name');
    expect([nameOf(undefined), nameOf(''), nameOf(' \u200B ')]).toEqual([host, host, host]);
    expect([...nameOf('界'.repeat(200))]).toHaveLength(80);
    expect(nameOf({})).toBeUndefined();
  });

  test('can hold anything: it is a client or a refusal, never another failure', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc
            .object()
            .map((each) =>
              JSON.stringify({ ...each, client_id: id, redirect_uris: ['https://app.example/'] }),
            ),
        ),
        (text) => {
          expect(Object.keys(checkDocument(id, text)).join()).toMatch(/^(?:reason|name,redirectUris)$/);
        },
      ),
    );
  });
});

describe('the URL of a document', () => {
  test.each([
    'https://app.example/client.json',
    'https://app.example:8443/a/b?c=d',
    'http://localhost:4711/client.json',
    'http://127.0.0.1/client.json',
  ])('may be %s', (url) => {
    expect(readClientUrl(url)?.href).toBe(url);
  });

  test.each([
    'https://app.example',
    'https://app.example/',
    'http://app.example/client.json',
    'https://user@app.example/client.json',
    'https://user:word@app.example/client.json',
    'https://app.example/client.json#part',
    'https://app.example/client.json#',
    'https://app.example/a/../client.json',
    'https://app.example/./client.json',
    'https://app.example:443/client.json',
    'https://APP.example/client.json',
    'https://app.example/client json',
    'https:\\\\app.example\\client.json',
    ' https://app.example/client.json',
    'file:///etc/passwd',
    'ftp://app.example/client.json',
    'https://',
    '',
  ])('cannot be %j', (url) => {
    expect(readClientUrl(url)).toBeUndefined();
  });
});
