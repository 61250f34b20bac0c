import '../support/environment.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { findFreePort } from '#cli/local/free-port.ts';
import { createTempDir } from '../support/local-server.ts';
import { program, programTest } from '../support/programs.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { publishClient, trustsPublishedClients } from './oauth/client-document.ts';
import { createOperator, siteOf } from './oauth/operator.ts';

const redirectUris = ['http://localhost/oauth/callback', 'http://127.0.0.1/oauth/callback'];
const published = useRunning(() => publishClient('Program', redirectUris));
const { server, admin } = useServer({ environment: trustsPublishedClients, byNpm: true });
const operator = createOperator(server, admin);
let url: string;
let registered: string;

beforeAll(async () => {
  url = `${siteOf(server)}/mcp/service`;
  const body = { name: 'Program', redirect_uris: redirectUris };
  registered = (await admin.post('/adminapi/system/oauth/client/add', body)).data.id;
});

/** An environment without a browser and without the user's own files. */
function createEnvironment(): Record<string, string> {
  const folder = createTempDir();
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    BROWSER: 'true',
    MCP_REMOTE_CONFIG_DIR: folder,
    MCP_STORAGE_DIR: folder,
    MCP_INSPECTOR_SECRET_STORE: 'memory',
    MCP_AUTO_OPEN_ENABLED: 'true',
  };
}

/** Approves what a program prints, as soon as it waits for the answer. */
async function approve(printed: Readable, isWaiting: RegExp): Promise<void> {
  let text = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // Reads to the end: a program fails if its output is not taken.
  printed.on('data', (chunk) => {
    text += chunk;
    const [asked] = /http:\S+\/oauth\/authorize\?\S+(?=\s)/.exec(text) ?? [];
    if (asked && isWaiting.test(text)) resolve(asked);
  });
  printed.on('end', () => reject(new Error(`the program has ended:\n${text}`)));
  const answer = await fetch(await operator.approve(await promise));
  expect(answer.status).toBe(200);
}

const users = { structuredContent: { total: expect.any(Number) } };

describe('mcp-remote', () => {
  programTest.each([
    ['with its metadata document', 'legacy', () => ['--client-metadata-url', published.url]],
    ['as a registered client', 'auto', () => ['--static-oauth-client-info', `{"client_id":"${registered}"}`]],
  ])('%s connects and calls a tool, protocol %s', async (_name, protocol, identify) => {
    const given = [url, String(await findFreePort()), '--transport', 'http-only', '--protocol', protocol];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program('mcp-remote'), ...given, ...identify()],
      env: createEnvironment(),
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    const { stderr } = transport;
    if (!(stderr instanceof Readable)) throw new Error('the output of mcp-remote is not readable');
    const approved = approve(stderr, /Waiting for authorization/);

    await Promise.all([client.connect(transport), approved]);

    const result = await client.callTool({ name: 'system__user_count', arguments: {} });
    expect(result).toMatchObject(users);
    await client.close();
  });
});

describe('the command line of the inspector', () => {
  programTest.each([
    ['with its metadata document', 'legacy', () => ['--client-metadata-url', published.url]],
    ['as a registered client', 'modern', () => ['--client-id', registered]],
  ])('%s connects and calls a tool in the %s era', async (_name, era, identify) => {
    const callback = `http://127.0.0.1:${await findFreePort()}/oauth/callback`;
    const call = ['--method', 'tools/call', '--tool-name', 'system__user_count', '--format', 'json'];
    const inspector = spawn(
      process.execPath,
      [
        ...[program('mcp-inspector'), '--cli', url, '--transport', 'http', '--protocol-era', era],
        ...['--callback-url', callback, ...identify(), ...call],
      ],
      { env: createEnvironment() },
    );
    let result = '';
    inspector.stdout.on('data', (chunk) => {
      result += chunk;
    });
    const ended = once(inspector, 'close');

    await approve(inspector.stderr, /Please navigate to/);

    expect((await ended)[0]).toBe(0);
    expect(JSON.parse(result)).toMatchObject({ result: users });
  });
});
