import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { packagesFolder } from '#cli/deploy/package.ts';
import { projectRoot } from '../support/local-server.ts';

const github = join(projectRoot, '.github');
const folder = join(github, 'workflows');
const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));

const dependabot = z.object({
  updates: z.array(
    z.object({ 'package-ecosystem': z.string(), directories: z.optional(z.array(z.string())) }),
  ),
});

/** Folders with a lockfile, from the project's root. */
const listFoldersWithLockfiles = (): string[] =>
  ['.', ...readdirSync(projectRoot), ...readdirSync(join(projectRoot, 'test')).map((name) => `test/${name}`)]
    .filter((name) => existsSync(join(projectRoot, name, 'package-lock.json')))
    .sort();

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
      needs: z.optional(z.union([z.string(), z.array(z.string())])),
      uses: z.optional(z.string()),
      with: z.optional(z.record(z.string(), z.unknown())),
      outputs: z.optional(z.record(z.string(), z.string())),
      strategy: z.optional(z.object({ matrix: z.record(z.string(), z.array(z.string())) })),
      // A job that calls another workflow has none.
      steps: z._default(
        z.array(
          z.object({
            ...{ id: z.optional(z.string()), uses: z.optional(z.string()), run: z.optional(z.string()) },
            env: z.optional(z.record(z.string(), z.string())),
            with: z.optional(z.record(z.string(), z.unknown())),
          }),
        ),
        [],
      ),
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
const runs = (text: string) => (job: Job) => job.steps.some(({ run = '' }) => run.includes(text));
const deploys = (job: Job) => runs('npm run deploy')(job) && !builds(job);
const builds = runs('--build');
const removes = runs('service -- stage:');
const isOfPreview = ({ name }: Job) => name.startsWith('preview.yml ');
const uses = (job: Job | undefined, action: string) =>
  job?.steps.find((step) => step.uses?.startsWith(`actions/${action}@`));
const stage = `\${{ inputs.stage }}`;
const calls = ({ uses = '' }: Job) => uses !== '';

it('every action is pinned to a commit, with its version in a comment', () => {
  const own = /uses: \.\/\.github\/workflows\//;
  const lines = workflows.flatMap(({ text }) => text.split('\n'));
  const uses = lines.filter((line) => /\buses:/.test(line) && !own.test(line));

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

describe.each(jobs.filter((job) => !deploys(job) && !removes(job) && !calls(job)))('the job $name', (job) => {
  it('has no access to the cloud', () => {
    expect(job.permissions ?? job.defaults).toEqual({ contents: 'read' });
    expect(job.steps.some(takesCredentials)).toBe(false);
    expect(JSON.stringify(job)).not.toContain('secrets.');
    // The job that builds reads the variables of the stage.
    const environment = isOfPreview(job) ? 'preview' : stage;
    expect(job.environment).toBe(builds(job) ? environment : undefined);
  });
});

describe('the job that deploys', () => {
  const ofStages = jobs.filter((each) => !isOfPreview(each));
  const found = ofStages.filter(deploys);
  const [job] = found;
  const [build] = ofStages.filter(builds);

  it('is the only one, and runs after the build', () => {
    expect(found.map(({ name }) => name)).toEqual(['stage.yml deploy']);
    expect(ofStages.filter(builds).map(({ name }) => name)).toEqual(['stage.yml build']);
    expect(job?.needs).toBe('build');
  });

  it('deploys what the other job has built, by the hash of its list', () => {
    const packaging = build?.steps.find(({ run = '' }) => run.includes('--build'));
    const deploying = job?.steps.find(({ run = '' }) => run.includes('npm run deploy'));

    expect(deploying?.run).toMatch(/ --prebuilt "\$DIGEST"/);
    expect(deploying?.env?.DIGEST).toBe(`\${{ needs.build.outputs.digest }}`);
    expect(build?.outputs).toEqual({ digest: `\${{ steps.${packaging?.id}.outputs.digest }}` });
    expect(packaging?.run).toMatch(/sha256sum .build\/deploy\/packages.json/);
    expect(uses(build, 'upload-artifact')?.with).toMatchObject({
      path: packagesFolder,
      'include-hidden-files': true,
    });
    expect(uses(job, 'download-artifact')?.with?.path).toBe(packagesFolder);
    expect(uses(job, 'download-artifact')?.with?.name).toBe(uses(build, 'upload-artifact')?.with?.name);
    // One run deploys several stages.
    expect(uses(build, 'upload-artifact')?.with?.name).toContain(stage);
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
});

describe('stages', () => {
  const callers = jobs.filter(calls);
  const [staging, last] = callers;

  it('are deployed by one workflow, which nothing else starts', () => {
    expect(callers.map(({ name }) => name)).toEqual(['deploy.yml staging', 'deploy.yml deploy']);
    for (const { uses, permissions } of callers) {
      expect(uses).toBe('./.github/workflows/stage.yml');
      expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    }
    const { on } = workflows.find(({ file }) => file === 'stage.yml') ?? {};
    expect(Object.keys(on ?? {})).toEqual(['workflow_call']);
  });

  it('begin after the tests, with the one that is configured to be first', () => {
    expect(staging?.needs).toBe('test');
    expect(staging?.if).toBe("github.event_name == 'push' && vars.STAGING != ''");
    expect(staging?.with).toEqual({ stage: `\${{ vars.STAGING }}` });
  });

  it('never follow a pull request, failed tests or a first stage that does not work; prod is from main only', () => {
    expect(last?.needs).toEqual(['test', 'staging']);
    expect(last?.if?.split(' && ')).toEqual([
      '!cancelled()',
      "needs.test.result == 'success'",
      `contains(fromJSON('["success", "skipped"]'), needs.staging.result)`,
      "github.event_name != 'pull_request'",
      "(inputs.stage != 'prod' || github.ref == 'refs/heads/main')",
    ]);
    expect(last?.with?.stage).toBe(`\${{ inputs.stage || 'prod' }}`);
  });
});

it('the job that deploys asks the stage afterwards, which may put back what ran before', () => {
  const commands =
    jobs.find((each) => deploys(each) && !isOfPreview(each))?.steps.map(({ run = '' }) => run) ?? [];

  expect(commands.at(-2)).toMatch(/^npm run deploy .*--prebuilt/);
  expect(commands.at(-1)).toBe('npm run deploy -- --stage "$STAGE" --verify');
});

describe('previews', () => {
  const own = 'github.event.pull_request.head.repo.full_name == github.repository';
  const ofPreviews = jobs.filter(isOfPreview);
  const ofRequests = ofPreviews.filter((job) => !job.if?.includes("github.event_name == 'schedule'"));

  it('have an environment of their own, and run only if a stage is named for them', () => {
    expect(ofPreviews.map(({ name }) => name.split(' ')[1])).toEqual(['build', 'deploy', 'remove', 'sweep']);
    for (const { environment, if: condition } of ofPreviews) {
      expect(environment).toBe('preview');
      expect(condition).toContain("vars.PREVIEW_LIKE != ''");
    }
  });

  it.each(ofRequests)('$name never runs for a fork, and all its parts are joined by "and"', (job) => {
    expect(job.if?.split(' && ')).toContain(own);
    expect(job.if).not.toContain('||');
  });

  it('deploy and remove the stage of the pull request, one run at a time', () => {
    const changing = ofRequests.filter((job) => deploys(job) || removes(job));

    expect(changing).toHaveLength(2);
    for (const { steps, concurrency } of changing) {
      const stages = steps.flatMap(({ env }) => env?.STAGE ?? []);
      expect(stages).toEqual([`pr-\${{ github.event.number }}`]);
      expect(concurrency).toEqual({
        group: `preview-\${{ github.event.number }}`,
        'cancel-in-progress': false,
      });
    }
  });

  it('take credentials after the packages are installed, and never build with them', () => {
    for (const { steps } of ofPreviews.filter((job) => job.steps.some(takesCredentials))) {
      const install = steps.findIndex(({ run }) => run === 'npm ci');
      expect(install).toBeGreaterThan(-1);
      expect(steps.findIndex(takesCredentials)).toBeGreaterThan(install);
      expect(JSON.stringify(steps)).not.toContain('--build');
    }
  });

  it('are swept every day, by the list of open pull requests', () => {
    const sweep = ofPreviews
      .flatMap(({ steps }) => steps)
      .find(({ run = '' }) => run.includes('stage:sweep'));

    expect(sweep?.run).toMatch(/^open=\$\(gh pr list .*--limit 1000/);
    expect(sweep?.run).toContain('--open "$open"');
  });
});

test('inputs reach the shell in variables only', () => {
  for (const { run = '' } of jobs.flatMap(({ steps }) => steps)) expect(run).not.toMatch(/\$\{\{/);
});

describe('known vulnerabilities and updates', () => {
  const folders = listFoldersWithLockfiles();

  it('are looked for every day, in all lockfiles', () => {
    const found = workflows.filter(({ jobs }) => JSON.stringify(jobs).includes('npm audit'));
    const [audit] = found.flatMap(({ jobs }) => Object.values(jobs));

    expect(found).toHaveLength(1);
    expect(found[0]?.on).toMatchObject({ schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }] });
    expect([...(audit?.strategy?.matrix.folder ?? [])].sort()).toEqual(folders);
    const commands = audit?.steps.flatMap(({ run = '' }) => (run.startsWith('npm audit') ? [run] : []));
    expect(commands?.length).toBeGreaterThan(0);
    for (const run of commands ?? [])
      expect(run).toMatch(/ --package-lock-only .*--audit-level (moderate|high)$/);
  });

  it('are proposed for all lockfiles and for the actions', () => {
    const { updates } = dependabot.parse(parse(readFileSync(join(github, 'dependabot.yml'), 'utf8')));
    const ofNpm = updates.filter((each) => each['package-ecosystem'] === 'npm');

    const directories = folders.map((each) => (each === '.' ? '/' : `/${each}`));
    expect(ofNpm.flatMap((each) => each.directories ?? []).sort()).toEqual(directories.sort());
    expect(updates.map((each) => each['package-ecosystem'])).toContain('github-actions');
  });
});
