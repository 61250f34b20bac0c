import { execFile, execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { templateFile } from '#cli/deploy/package.ts';
import { compareBudgets, readBudgets } from '#cli/package/budgets/compare-budgets.ts';
import type { Template } from '#cli/package/check-stack.ts';
import type { FunctionDefinition } from '#functions/stacks/function-map.ts';
import { awsLimits } from '#functions/stacks/limits.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { logIn } from '../support/access.ts';
import { createClient, sendTo } from '../support/client.ts';
import { projectRoot, startLocalServer } from '../support/local-server.ts';
import { makeModules, resources } from '../support/many-modules.ts';
import { shellEnvironment } from '../support/run-service.ts';

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
    const generated = routed.filter(({ handler }) => /depot-/.test(handler));
    expect(generated.flatMap(({ events }) => events).length).toBeGreaterThanOrEqual(1_000);
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
        const written = await client.ask(`${path}/unit`);
        expect(written.json.data).toEqual({ unit: 'piece' });
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

/** Ten minutes on two idle cores. */
const packagingMs = 3_600_000;
/** What a route may add to the start of a function that holds parts of every module: its permission and its path. */
const bytesOfRoute = 150;

/** Names of the functions of a packaged stack. */
function readFunctions(stack: string): string[] {
  const file = join(project.root, '.build/packages', stack, templateFile);
  const { Resources }: Template = JSON.parse(readFileSync(file, 'utf8'));
  const functions = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  return functions.map(({ Properties }) => String(Properties?.FunctionName).replace('backend-dev-', ''));
}

test(
  'a thousand routes of others are packaged, and every bundle keeps its budget',
  async () => {
    const { root, made } = project;
    // The stack `aggregate` holds the console.
    for (const part of ['console', 'bench/budgets.json'])
      cpSync(join(projectRoot, part), join(root, part), { recursive: true });
    const recorded = readBudgets(root);
    const mostAtStart = recorded.get('article-admin-article-list')?.bytes.start ?? 0;

    const args = ['cli/package.ts', '--update-budgets'];
    const shell = shellEnvironment();
    const env = { ...shell, CONSOLE: '', PATH: `${join(root, 'node_modules/.bin')}:${shell.PATH}` };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });

    // It refuses stacks with too many resources, foreign files in archives and functions that do not answer.
    expect(stdout.match(/^Packaged depot-\w: 5 functions, \d+ resources$/gm)).toHaveLength(made.length);
    const [, answered] = /and (\d+) answer a recorded event/.exec(stdout) ?? [];
    expect(Number(answered)).toBeGreaterThan(1_000);
    const shared = ['core', 'aggregate'].flatMap(readFunctions);
    const limits = [...readBudgets(root)].map(([name, budget]) => {
      const before = recorded.get(name);
      const most = before ? before.bytes.start + Number(answered) * bytesOfRoute : mostAtStart;
      const isKept =
        !before || shared.includes(name)
          ? budget.bytes.start <= most
          : compareBudgets(new Map([[name, before]]), new Map([[name, budget]])).faults.length === 0;
      return { name, isKept };
    });
    expect(limits.length).toBeGreaterThanOrEqual(recorded.size + (resources.length + 1) * made.length);
    expect(limits.filter(({ isKept }) => !isKept)).toEqual([]);
  },
  packagingMs,
);
