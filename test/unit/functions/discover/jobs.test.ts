import '../../../support/environment.ts';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { renderJobEntry } from '#functions/bundle/entry.ts';
import { checkJob } from '#functions/checks/checks.ts';
import { discover } from '#functions/discover/discover.ts';
import type { FoundJob } from '#functions/model.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { createResources } from '#functions/stacks/resources.ts';
import { defineJob, type Job } from '#shared/module/module.ts';
import { find, problemsOf } from './fixture.ts';

const projectRoot = resolve(__dirname, '../../../..');
const load = <T>(file: string): Promise<T> => import(file);

const jobSource = (schedule: string) => `
  import { defineJob } from '#shared/module/module.ts';
  export default defineJob({ schedule: '${schedule}', run: async () => ({}) });`;

const job = (rest: Partial<Job> = {}): Job =>
  defineJob({ schedule: 'rate(5 minutes)', run: async () => ({}), ...rest });
const found = (rest: Partial<Job> = {}): FoundJob => ({
  job: job(rest),
  module: 'System',
  file: 'modules/System/Jobs/tidy-up.ts',
  functionName: 'system-job-tidy-up',
});

describe('discover', () => {
  test('finds a job for every file in Jobs/, and no route in it', async () => {
    const { routes, jobs } = await find({
      'modules/Shop/Jobs/tidy-up.ts': jobSource('rate(1 hour)'),
      'modules/Shop/Jobs/notes.md': 'no job',
    });

    expect(routes).toEqual([]);
    expect(jobs).toMatchObject([
      {
        job: { schedule: 'rate(1 hour)' },
        module: 'Shop',
        file: 'modules/Shop/Jobs/tidy-up.ts',
        functionName: 'shop-job-tidy-up',
      },
    ]);
  });

  test.each([
    ['tidy.ts', 'export {};', /^modules\/Shop\/Jobs\/tidy\.ts has no default export/],
    ['tidy.ts', 'export default { schedule: "rate(1 day)" };', /tidy\.ts: exports no job: /],
    ['tidy.ts', 'throw new Error("on purpose");', /tidy\.ts cannot be loaded: on purpose$/],
    ['tidy.ts', jobSource('every day'), /tidy\.ts: its schedule "every day" is not valid/],
    ['tidyUp.ts', jobSource('rate(1 day)'), /tidyUp\.ts: is not named in kebab-case/],
    ['deep/tidy.ts', jobSource('rate(1 day)'), /deep\/tidy\.ts: is not named in kebab-case/],
    [`${'tidy-'.repeat(9)}up.ts`, jobSource('rate(1 day)'), /its function would be named .* of at most /],
  ])('reports the file %s with %j', async (name, source, problem) => {
    expect(await problemsOf({ [`modules/Shop/Jobs/${name}`]: source })).toEqual([
      expect.stringMatching(problem),
    ]);
  });
});

describe('checkJob', () => {
  const faultsOf = (schedule: string) => checkJob(job({ schedule }), 'shop-job-a');

  test.each([
    'rate(1 minute)',
    'rate(15 minutes)',
    'rate(1 hour)',
    'rate(2 hours)',
    'rate(1 day)',
    'rate(10 days)',
    'cron(0 12 * * ? *)',
    'cron(*/5 8-18 ? * MON-FRI *)',
    'cron(0 12 L * ? *)',
    'cron(0/15 * * * ? *)',
    'cron(0 12 ? * 2#1 2026-2199)',
  ])('takes %s', (schedule) => {
    expect(faultsOf(schedule)).toEqual([]);
  });

  test.each([
    '',
    'rate(0 minutes)',
    'rate(1 minutes)',
    'rate(15 minute)',
    'rate(-1 hours)',
    'rate(1.5 hours)',
    'rate(30 seconds)',
    'rate( 1 day )',
    'rate(1 day) ',
    'Rate(1 day)',
    'cron(0 12 * * *)',
    'cron(0 12 * * ? *) ',
    'cron(0 25 * * ? *)',
    'cron(0 12 * * * *)',
    'cron(0 12 ? * ? *)',
    'cron(0 12 31 2 ? *)',
    'cron(0 12 * * ? 2020)',
  ])('refuses %j', (schedule) => {
    expect(faultsOf(schedule)).toEqual([expect.stringContaining(`its schedule "${schedule}"`)]);
  });

  test.each(['Europe/Berln', '', 'local'])('refuses the time zone %j', (timeZone) => {
    expect(checkJob(job({ schedule: 'cron(0 12 * * ? *)', timeZone }), 'shop-job-a')).toEqual([
      `its timeZone "${timeZone}" is not known: write Europe/Berlin`,
    ]);
  });

  test('refuses a time zone of a rate', () => {
    expect(checkJob(job({ timeZone: 'Europe/Berlin' }), 'shop-job-a')).toEqual([
      'a rate has no time zone: leave timeZone out',
    ]);
  });
});

describe('the function of a job', () => {
  test("is called by schedule, with the job's limits", () => {
    const jobs = [found({ limits: { timeoutSeconds: 300, memoryMb: 256 } })];
    const { 'system-job-tidy-up': local } = createFunctionMap({ ...manifest, jobs }, 'local');
    const { 'system-job-tidy-up': deployed } = createFunctionMap({ ...manifest, jobs }, 'prod');

    expect(local).toMatchObject({
      handler: '.build/entries/system-job-tidy-up.handler',
      events: [{ schedule: 'rate(5 minutes)' }],
      timeout: 300,
      memorySize: 256,
    });
    expect(deployed).toMatchObject({
      name: 'backend-prod-system-job-tidy-up',
      handler: '.build/entries/system-job-tidy-up.handler',
    });
  });

  test('is called by the scheduler of AWS for a cron, with a role that may call it only', () => {
    const jobs = [found({ schedule: 'cron(30 2 * * ? *)', timeZone: 'Europe/Berlin' })];
    const functions = createFunctionMap({ ...manifest, jobs }, 'prod');
    const { Resources } = createResources({ stage: 'prod', stack: 'system' }, functions);

    expect(functions['system-job-tidy-up']?.events).toEqual([
      {
        schedule: {
          method: 'scheduler',
          rate: ['cron(30 2 * * ? *)'],
          timezone: 'Europe/Berlin',
          roleArn: { 'Fn::GetAtt': ['ScheduleRole', 'Arn'] },
          input: { due: '<aws.scheduler.scheduled-time>' },
        },
      },
    ]);
    expect(JSON.stringify(Resources)).toContain(':function:backend-prod-system-job-tidy-up"');
    expect(Resources).toMatchObject({
      ScheduleRole: {
        Properties: {
          AssumeRolePolicyDocument: { Statement: [{ Principal: { Service: 'scheduler.amazonaws.com' } }] },
        },
      },
    });
  });

  test('imports this one job', () => {
    const source = renderJobEntry(found());

    expect(source).toContain("import job from '#modules/System/Jobs/tidy-up.ts';");
    expect(source).toContain("export const handler = jobHandler(job, { name: 'system-job-tidy-up' });");
    expect(source.match(/^import /gm)).toHaveLength(2);
  });
});

const manifest = { modules: [], routes: [], jobs: [] };

test('uploads are cleaned up every quarter of an hour', async () => {
  const functions = createFunctionMap(await discover(projectRoot, load), 'prod');

  expect(functions['system-job-clean-up-uploads']).toMatchObject({
    events: [{ schedule: 'rate(15 minutes)' }],
    timeout: 300,
  });
});
