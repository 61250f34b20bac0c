import { execFile } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { shellEnvironment } from '../support/run-service.ts';

// A machine without credentials, where the address that hands them out in the cloud takes connections and is silent.

/** A program that waits for an answer is ended. Reading the sources takes most of this on a busy machine. */
const limitMs = 240_000;
jest.setTimeout(limitMs + 30_000);

const sockets = new Set<Socket>();
const server = createServer((socket) => sockets.add(socket));
let metadata: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  metadata = `http://127.0.0.1:${Object(server.address()).port}`;
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

it.each([
  ['npm run deploy', ['cli/deploy.ts', '--stage', 'prod']],
  ['npm run deploy -- --check', ['cli/deploy.ts', '--stage', 'prod', '--check']],
  ['npx serverless deploy', ['node_modules/serverless/bin/serverless.js', 'deploy', '--stage', 'prod']],
])(
  '%s says that there are no credentials, without an answer from the metadata address',
  async (_name, args) => {
    const { PATH, NODE_COMPILE_CACHE } = shellEnvironment();
    const env = {
      PATH,
      NODE_COMPILE_CACHE,
      HOME: createTempDir(),
      AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata,
    };
    const options = { cwd: projectRoot, env, timeout: limitMs };
    const { code, printed } = await new Promise<{ code: unknown; printed: string }>((resolve) => {
      execFile(process.execPath, args, options, (error, stdout, stderr) =>
        resolve({ code: error?.code, printed: stdout + stderr }),
      );
    });

    expect(printed).toContain('no AWS credentials were found');
    expect(printed).toContain('aws configure');
    expect(printed).not.toMatch(/Packag/);
    expect(code).toBe(1);
  },
);
