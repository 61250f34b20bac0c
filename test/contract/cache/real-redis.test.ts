import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { findFreePort } from '../../../cli/local/free-port.ts';
import { startUpstashEndpoint } from '../../../cli/local/upstash/start-upstash-endpoint.ts';
import { describeUpstashProtocol } from './upstash-protocol.contract.ts';

const version = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
const isInstalled = version.error === undefined && version.status === 0;

async function startRedis() {
  const port = await findFreePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { cwd: tmpdir(), stdio: 'ignore' });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  while (!(await canConnect(port))) {
    if (server.exitCode !== null) throw new Error(`redis-server ended with code ${server.exitCode}`);
  }
  const stop = async () => {
    server.kill('SIGTERM');
    await exited;
  };
  return { url: `redis://127.0.0.1:${port}`, stop };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => setTimeout(resolve, 10, false));
  });
}

async function start() {
  const redis = await startRedis();
  const token = randomUUID();
  const endpoint = await startUpstashEndpoint({ token, redisUrl: redis.url });
  const stop = async () => {
    await endpoint.stop();
    await redis.stop();
  };
  return { url: endpoint.url, token, stop };
}

if (isInstalled) {
  describeUpstashProtocol('Upstash endpoint over a real Redis', start);
} else {
  test('redis-server is not installed here, so the contract is run on the store in memory only', () => {
    expect(isInstalled).toBe(false);
  });
}

test('reports in one line that the real Redis cannot be reached', async () => {
  const redisUrl = `redis://:secret@127.0.0.1:${await findFreePort()}`;

  const failure = await startUpstashEndpoint({ token: 'token', redisUrl }).catch(
    (error: Error) => error.message,
  );

  expect(failure).toMatch(/^REDIS_URL cannot be reached: .*ECONNREFUSED/);
  expect(failure).not.toContain('secret');
  expect(failure).not.toContain('\n');
});
