import { execFile } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createTempDir } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { shellEnvironment } from '../support/run-service.ts';

// A machine without credentials, where the address that hands them out in the cloud takes connections and is silent.
// The sources of the copy cannot be read, so each command asks for the credentials before it reads them.

/** A program that waits for an answer is ended. On an idle machine each takes 3 s. */
const limitMs = 120_000;
jest.setTimeout(limitMs + 30_000);

const project = copyProject();
project.write('modules/System/module.ts', 'cannot be read');

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
  ['npx serverless info', ['node_modules/serverless/bin/serverless.js', 'info']],
])(
  '%s says that there are no credentials, without an answer from the metadata address',
  async (_name, args) => {
    const { PATH, NODE_COMPILE_CACHE } = shellEnvironment();
    const home = { HOME: createTempDir(), AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata };
    const env = { PATH, NODE_COMPILE_CACHE, ...home };
    const options = { cwd: project.root, env, timeout: limitMs };
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
