import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import * as z from 'zod/mini';

const folder = join(__dirname, '..', '..', '.github', 'workflows');
const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));

const schema = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions,
  jobs: z.record(
    z.string(),
    z.object({
      if: z.optional(z.string()),
      permissions: z.optional(permissions),
      environment: z.optional(z.string()),
      concurrency: z.optional(z.object({ group: z.string(), 'cancel-in-progress': z.boolean() })),
      needs: z.optional(z.string()),
      steps: z.array(z.object({ uses: z.optional(z.string()), run: z.optional(z.string()) })),
    }),
  ),
});

const workflows = readdirSync(folder).map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  return { file, text, ...z.parse(schema, parse(text)) };
});
const jobs = workflows.flatMap(({ file, jobs, permissions }) =>
  Object.entries(jobs).map(([name, job]) => ({ name: `${file} ${name}`, defaults: permissions, ...job })),
);
type Job = (typeof jobs)[number];

const takesCredentials = ({ uses = '' }: Job['steps'][number]) => uses.startsWith('aws-actions/');
const deploys = ({ steps }: Job) => steps.some(({ run = '' }) => run.includes('npm run deploy'));
const stage = `\${{ inputs.stage || 'prod' }}`;

it('every action is pinned to a commit, with its version in a comment', () => {
  const uses = workflows.flatMap(({ text }) => text.split('\n').filter((line) => /\buses:/.test(line)));

  expect(uses.length).toBeGreaterThan(0);
  for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('workflows have read access only, unless a job declares more', () => {
  for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' });
});

it('pull requests are tested, by the same job as pushes', () => {
  const tested = workflows.filter(({ on }) => 'pull_request' in on && 'push' in on);

  expect(tested.map(({ file }) => file)).toEqual(['deploy.yml']);
  for (const { on } of workflows) expect(on).not.toHaveProperty('pull_request_target');
});

describe.each(jobs.filter((job) => !deploys(job)))('the job $name', (job) => {
  it('has no access to the cloud', () => {
    expect(job.permissions ?? job.defaults).toEqual({ contents: 'read' });
    expect(job.steps.some(takesCredentials)).toBe(false);
    expect(job.environment).toBeUndefined();
  });
});

describe('the job that deploys', () => {
  const found = jobs.filter(deploys);
  const [job] = found;

  it('is the only one, and runs after the tests', () => {
    expect(found.map(({ name }) => name)).toEqual(['deploy.yml deploy']);
    expect(job?.needs).toBe('test');
  });

  it('never runs for a pull request, and deploys prod from main only', () => {
    expect(job?.if).toBe(
      "github.event_name != 'pull_request' && (inputs.stage != 'prod' || github.ref == 'refs/heads/main')",
    );
  });

  it('installs packages before it gets credentials, and deploys afterwards', () => {
    const steps = job?.steps ?? [];
    const install = steps.findIndex(({ run }) => run === 'npm ci');
    const credentials = steps.findIndex(takesCredentials);
    const last = steps.findIndex(({ run = '' }) => run.includes('npm run deploy'));

    expect(install).toBeGreaterThan(-1);
    expect(credentials).toBeGreaterThan(install);
    expect(last).toBeGreaterThan(credentials);
    expect(steps.filter(({ run = '' }) => /\bnpm (ci|install)\b/.test(run))).toHaveLength(1);
  });

  it('runs once at a time for a stage, and is not cancelled', () => {
    expect(job?.environment).toBe(stage);
    expect(job?.concurrency).toEqual({ group: `deploy-${stage}`, 'cancel-in-progress': false });
    expect(job?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  });

  it('passes inputs to the shell in variables only', () => {
    for (const { run = '' } of job?.steps ?? []) expect(run).not.toMatch(/\$\{\{/);
  });
});
