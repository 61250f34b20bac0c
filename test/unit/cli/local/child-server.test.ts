import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startChildServer } from '../../../../cli/local/child-server.ts';
import { findFreePort } from '../../../../cli/local/free-port.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'child-'));
});

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const serverScript = (port: number, header = 'x-ours') =>
  `require('node:http').createServer((q, s) => s.setHeader('${header}', 'yes').end()).listen(${port}, '127.0.0.1')`;

async function optionsFor(script: string, port?: number) {
  return {
    command: process.execPath,
    args: ['-e', script],
    cwd: dataDir,
    environment: { PATH: process.env.PATH },
    endpoint: `http://127.0.0.1:${port ?? (await findFreePort())}`,
    header: 'x-ours',
    readyTimeoutMs: 10_000,
  };
}

function isAnswering(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, agent: false }, (response) => {
      response.resume();
      resolve(true);
    });
    request.once('error', () => resolve(false));
  });
}

test('reports the output of a process that ends before it is ready', async () => {
  const options = await optionsFor('console.error("no such file"); process.exit(3)');

  await expect(startChildServer(options)).rejects.toThrow(/ended before it was ready: no such file/);
});

test('reports a command that does not exist', async () => {
  const options = { ...(await optionsFor('')), command: join(dataDir, 'absent') };

  await expect(startChildServer(options)).rejects.toThrow(/absent: not found/);
});

test('ends a process that never answers', async () => {
  const options = { ...(await optionsFor('setInterval(() => {}, 1000)')), readyTimeoutMs: 200 };

  await expect(startChildServer(options)).rejects.toThrow(/was not ready within 200 ms/);
});

test('does not mistake another server on its port for it', async () => {
  const port = await findFreePort();
  const other = await startChildServer({
    ...(await optionsFor(serverScript(port, 'x-other'), port)),
    header: 'x-other',
  });

  await expect(startChildServer(await optionsFor(serverScript(port), port))).rejects.toThrow(/EADDRINUSE/);

  await other.stop();
});

test('reports when and how a running process ended', async () => {
  const port = await findFreePort();
  const script = `require('node:http').createServer((q, s) => {
    s.setHeader('x-ours', 'yes').end();
    if (q.url === '/end') { console.error('disk full'); process.exitCode = 7; setImmediate(() => process.exit()); }
  }).listen(${port}, '127.0.0.1')`;
  const server = await startChildServer(await optionsFor(script, port));

  get(`${server.endpoint}/end`, { agent: false }).once('error', () => {});

  expect(await server.exited).toEqual({ code: 7, signal: null, output: 'disk full' });
});

test('ends a process with SIGTERM, also if called twice', async () => {
  const port = await findFreePort();
  const script = `process.on('SIGTERM', () => process.exit(5)); ${serverScript(port)}`;
  const server = await startChildServer(await optionsFor(script, port));

  await server.stop();
  await server.stop();

  expect(await server.exited).toEqual({ code: 5, signal: null, output: '' });
});

test('kills a process that ignores SIGTERM', async () => {
  const port = await findFreePort();
  const script = `process.on('SIGTERM', () => {}); ${serverScript(port)}`;
  const server = await startChildServer({ ...(await optionsFor(script, port)), stopTimeoutMs: 100 });

  await server.stop();

  expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
  expect(await isAnswering(port)).toBe(false);
});

test('ends the process if its parent is killed', async () => {
  const port = await findFreePort();
  const options = await optionsFor(serverScript(port), port);
  const module = pathToFileURL(resolve('cli/local/child-server.ts'));
  const script = `
    import { startChildServer } from ${JSON.stringify(module)};
    await startChildServer(${JSON.stringify(options)});
    console.log('ready');
  `;
  const node = resolve('node_modules/.bin/node');
  const starter = spawn(node, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(starter.stdout, 'data');
  expect(await isAnswering(port)).toBe(true);

  starter.kill('SIGKILL');

  while (await isAnswering(port)) await delay(10);
});
