import '../support/environment.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect } from '@jest/globals';
import * as z from 'zod/mini';
import { findFreePort } from '#cli/local/free-port.ts';
import { createTempDir } from '../support/local-server.ts';
import { program, programTest } from '../support/programs.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { publishClient, trustsPublishedClients } from './oauth/client-document.ts';
import { createOperator, siteOf } from './oauth/operator.ts';

// What the conformance suite of MCP has for authorisation servers. Its scenarios `auth/…` test clients.

const published = useRunning(() => publishClient('Conformance suite', ['http://127.0.0.1/callback']));
const { server, admin } = useServer({ environment: trustsPublishedClients });
const operator = createOperator(server, admin);

const checks = z.array(z.object({ id: z.string(), status: z.string() }));

/** Runs all scenarios of a revision; the operator opens the URL that the suite prints. */
async function runSuite(revision: string): Promise<z.infer<typeof checks>> {
  const [folder, url] = [createTempDir(), siteOf(server)];
  const args = [
    ...['authorization', '--url', url, '--client-id', published.url, '--resource', `${url}/mcp/service`],
    ...['--port', String(await findFreePort()), '--spec-version', revision, '-o', folder],
  ];
  const suite = spawn(program('conformance'), args);
  const ended = once(suite, 'close');
  for await (const line of createInterface({ input: suite.stdout })) {
    if (line.startsWith(`${url}/oauth/authorize?`)) await fetch(await operator.approve(line));
  }
  await ended;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === 'checks.json')
    .flatMap((file) => z.parse(checks, JSON.parse(readFileSync(join(folder, file), 'utf8'))));
}

describe.each(['2025-11-25', '2026-07-28'])('the conformance suite of MCP %s', (revision) => {
  programTest('passes all its scenarios for authorisation servers', async () => {
    const found = await runSuite(revision);

    expect(found.map(({ id, status }) => [id, status]).sort()).toEqual([
      ['authorization-code-grant', 'SUCCESS'],
      ['authorization-server-metadata', 'SUCCESS'],
      ['authorization-server-metadata-cimd', 'SUCCESS'],
    ]);
  });
});
