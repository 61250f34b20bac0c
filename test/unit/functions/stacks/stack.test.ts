import '../../../support/environment.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createResources } from '#functions/stacks/resources.ts';
import { listStacks, selectStack } from '#functions/stacks/stack.ts';
import { projectRoot } from '../../../support/local-server.ts';
import { createRoute, foundRoute } from '../fixtures.ts';

const listed = foundRoute({ functionName: 'system-admin-a', module: 'System' });
const whole = foundRoute({
  functionName: 'system-admin-config',
  module: 'System',
  route: createRoute('admin', 'GET', { needs: ['modules'] }),
});
const tools = foundRoute({
  functionName: 'system-admin-tools',
  module: 'System',
  route: createRoute('admin', 'GET', { needs: ['tools'] }),
});
const profile = foundRoute({ functionName: 'user-center-api-profile', module: 'UserCenter' });
const job = {
  job: { schedule: 'rate(1 hour)', run: async () => ({}) },
  module: 'System',
  file: 'modules/System/Jobs/a.ts',
  functionName: 'system-job-a',
};
const manifest = { routes: [listed, whole, tools, profile], jobs: [job], listeners: [] };
const namesIn = (stack: string) => {
  const { routes, jobs } = selectStack(manifest, stack);
  return [...routes, ...jobs].map(({ functionName }) => functionName);
};

describe('the stacks', () => {
  it('are one for each module, after core and before aggregate', () => {
    expect(listStacks(manifest)).toEqual(['core', 'system', 'user-center', 'aggregate']);
  });

  it('divide the functions', () => {
    expect(namesIn('core')).toEqual([]);
    expect(namesIn('system')).toEqual(['system-admin-a', 'system-job-a']);
    expect(namesIn('user-center')).toEqual(['user-center-api-profile']);
    expect(namesIn('aggregate')).toEqual(['system-admin-config', 'system-admin-tools']);
  });

  it('are refused with an unknown name', () => {
    expect(() => selectStack(manifest, 'shop')).toThrow('core, system, user-center, aggregate');
  });

  it('have shared resources only in core', () => {
    const core = createResources({ stage: 'prod', stack: 'core' }, {});
    const system = createResources({ stage: 'prod', stack: 'system' }, {});

    expect(Object.keys(core.Resources)).toEqual(expect.arrayContaining(['Table', 'AlarmTopic', 'RoleNone']));
    expect(Object.keys(system.Resources)).toEqual([
      ...['LogGroup', 'ErrorLines', 'CrashLines', 'AuditLines', 'ErrorAlarm'],
    ]);
  });

  it('are one service without MODULE, which imports and exports nothing', () => {
    const whole = createResources({ stage: 'prod', stack: 'all' }, {});

    expect(selectStack(manifest, 'all')).toEqual(manifest);
    expect(Object.keys(whole.Resources)).toEqual(expect.arrayContaining(['Table', 'RoleNone', 'ErrorAlarm']));
    expect(JSON.stringify(whole)).not.toMatch(/ImportValue|Export/);
  });

  it('have only alarms that the runbook describes', () => {
    const { Resources } = createResources({ stage: 'prod', stack: 'core' }, {});
    const runbook = readFileSync(join(projectRoot, 'docs', 'operations.md'), 'utf8');
    const alarms = Object.entries<{ Type?: string }>(Resources).flatMap(([name, { Type }]) =>
      Type === 'AWS::CloudWatch::Alarm' ? [name] : [],
    );

    expect(alarms.length).toBeGreaterThan(5);
    expect(alarms.filter((name) => !runbook.includes(`\`${name}\``))).toEqual([]);
  });

  it('let no role scan or change the table, or write foreign items', () => {
    const { Resources } = createResources({ stage: 'prod', stack: 'core' }, {});
    const roles = Object.entries(Resources).filter(([name]) => name.startsWith('Role'));
    const actions = roles.map(([name, role]) => [name, JSON.stringify(role).match(/"\w+:\w+"/g)]);

    expect(JSON.stringify(actions)).not.toMatch(/Scan|CreateTable|DeleteTable|\*/);
    expect(Object.fromEntries(actions).RoleNone).toEqual([
      '"sts:AssumeRole"',
      '"logs:CreateLogStream"',
      '"logs:PutLogEvents"',
    ]);
  });
});
