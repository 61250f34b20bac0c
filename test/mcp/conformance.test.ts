import '../support/environment.ts';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect } from '@jest/globals';
import * as z from 'zod/mini';
import type { RunningDouble } from '../doubles/serve.ts';
import { createTempDir } from '../support/local-server.ts';
import { hasPrograms, program, programTest } from '../support/programs.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { startAuthenticatingProxy } from './authenticating-proxy.ts';
import { leftOut, leftOutChecks } from './left-out.ts';
import { copyProjectWithTools } from './test-module.ts';

const proxy: RunningDouble = useRunning(() =>
  startAuthenticatingProxy(() => ({ url: server.url, token: admin.token })),
);
const { root } = copyProjectWithTools();
// Pages of the proxy's origin are this site's own.
const { server, admin } = useServer(() => ({
  root,
  environment: { PUBLIC_URL: `http://localhost:${new URL(proxy.url).port}` },
}));

const checkSchema = z.array(z.object({ id: z.string(), status: z.string() }));

/** Runs what a revision requires; answers every check as `scenario/check` with its status. */
async function runSuite(revision: string): Promise<{ scenario: string; id: string; status: string }[]> {
  const folder = createTempDir();
  const url = `http://localhost:${new URL(proxy.url).port}/mcp/service`;
  const args = ['server', '--url', url, '--requirements', revision, '-o', folder];
  // It exits with 1 because of the scenarios that are left out.
  await new Promise<void>((resolve) =>
    execFile(program('conformance'), args, { maxBuffer: 1e8 }, () => resolve()),
  );
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === 'checks.json')
    .flatMap((file) => {
      const scenario = dirname(file)
        .replace(/^server-/, '')
        .replace(/-\d{4}-\d\d-\d\dT.*$/, '');
      const checks = z.parse(checkSchema, JSON.parse(readFileSync(join(folder, file), 'utf8')));
      return checks.map(({ id, status }) => ({ scenario, id, status }));
    });
}

const confirmations = [
  'input-required-result-request-state',
  'input-required-result-tampered-state',
  'input-required-result-missing-input-response',
  'input-required-result-result-type',
];

const isLeftOut = (scenario: string) => Object.keys(leftOut).some((name) => scenario.startsWith(name));

describe.each(['2025-11-25', '2026-07-28'])('the conformance suite of MCP %s', (revision) => {
  let checks: Awaited<ReturnType<typeof runSuite>>;
  let failing: typeof checks;
  beforeAll(async () => {
    checks = hasPrograms ? await runSuite(revision) : [];
    failing = checks.filter(({ status }) => status === 'FAILURE');
  }, 120_000);

  programTest('passes, except for features that the service does not offer', () => {
    const unexpected = failing.filter(({ scenario, id }) => !isLeftOut(scenario) && !(id in leftOutChecks));

    expect(unexpected).toEqual([]);
    const passed = checks.filter(({ status }) => status === 'SUCCESS').map(({ scenario }) => scenario);
    expect(passed).toEqual(
      expect.arrayContaining([
        'tools-list',
        'tools-call-simple-text',
        'tools-call-error',
        'dns-rebinding-protection',
        ...(revision === '2026-07-28' ? confirmations : []),
      ]),
    );
  });

  programTest('leaves out no check that would pass', () => {
    const known = checks.filter(({ scenario, id }) => isLeftOut(scenario) || id in leftOutChecks);
    const stale = [...Object.keys(leftOut), ...Object.keys(leftOutChecks)].filter((name) => {
      const named = ({ scenario, id }: { scenario: string; id: string }) =>
        scenario.startsWith(name) || id === name;
      return known.some(named) && !failing.some(named);
    });

    expect(stale).toEqual([]);
  });
});
