import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import type { FunctionDefinition } from '#functions/stacks/function-map.ts';
import { awsLimits } from '#functions/stacks/limits.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { logIn } from '../support/access.ts';
import { createClient, sendTo } from '../support/client.ts';
import { startLocalServer } from '../support/local-server.ts';
import { makeModules, resources } from '../support/many-modules.ts';

const timeoutMs = 600_000;
const project = makeModules(25);

const isRouted = ({ events }: FunctionDefinition) => events.some((event) => 'httpApi' in event);

test(
  'a thousand routes of others fit into an HTTP API, and answer',
  async () => {
    const options = { cwd: project.root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    const functions: Record<string, FunctionDefinition> = JSON.parse(
      execFileSync(process.execPath, ['cli/generate.ts'], options),
    );
    const routed = Object.values(functions).filter(isRouted);
    expect(routed.flatMap(({ events }) => events).length).toBeGreaterThan(1_000);
    expect(routed.length).toBeLessThanOrEqual(awsLimits.integrations);

    const server = await startLocalServer({ root: project.root });
    const client = await logIn(createClient(sendTo(server)));
    for (const prefix of project.made.map(toRoutePrefix)) {
      for (const resource of resources) {
        const path = `/adminapi/${prefix}/${resource}`;
        const added = await client.ask(`${path}/add`, { body: { name: `${prefix} ${resource}` } });
        const { id } = added.json.data;
        const list = await client.ask(`${path}/list`);
        expect(list.json.data).toMatchObject({ list: [{ id }] });
        const refused = await client.as('').ask(`${path}/detail?id=${id}`);
        expect(refused.json.code).toBe('auth.token_missing');
        const unknown = await client.ask(`${path}/detail`, { body: {} });
        expect(unknown.status).toBe(405);
      }
    }
    await server.stop();
  },
  timeoutMs,
);
