import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findFreePort } from '#cli/local/free-port.ts';
import { type Front, openFront } from '#cli/local/front.ts';

const hosts = ['127.0.0.1', '::1'];

let port: number;
let front: Front | undefined;
/** Settles when all changes are loaded. */
let settled: Promise<void>;

beforeEach(async () => {
  port = await findFreePort();
  settled = Promise.resolve();
});
afterEach(async () => {
  await front?.close();
  front = undefined;
});

const answering = (text: string): Server =>
  createServer((request, response) => response.end(`${text} ${request.url}`));
const open = () => openFront(port, hosts, () => settled);
const ask = async (host = '127.0.0.1') => (await fetch(`http://${host}:${port}/path`)).text();

describe('the front of the local server', () => {
  test('answers on both loopback addresses by the server behind it', async () => {
    front = await open();
    front.use(answering('one'));

    expect(await Promise.all([ask(), ask('[::1]')])).toEqual(['one /path', 'one /path']);
  });

  test('keeps connections open longer than clients do', async () => {
    front = await open();
    front.use(answering('one'));

    const { headers } = await fetch(`http://127.0.0.1:${port}/path`);

    expect(headers.get('keep-alive')).toBe('timeout=65');
  });

  test('lets requests wait while a change is loaded, and answers them by the new server', async () => {
    const change = Promise.withResolvers<void>();
    settled = change.promise;
    front = await open();
    front.use(answering('old'));
    const answers = [ask(), ask()];

    front.use(answering('new'));
    change.resolve();

    expect(await Promise.all(answers)).toEqual(['new /path', 'new /path']);
  });

  test('says in one line that its port is in use', async () => {
    const other = answering('other');
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));

    await expect(open()).rejects.toThrow(`Port ${port} is in use: set PORT to another one`);

    await new Promise((done) => other.close(done));
  });

  test('skips an address that this machine does not have', async () => {
    front = await openFront(port, ['127.0.0.1', '2001:db8::1'], () => settled);
    front.use(answering('one'));

    expect(await ask()).toBe('one /path');
  });
});
