import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { type CloudFormationDouble, startCloudFormation } from '../doubles/cloudformation.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { runScript, shellEnvironment } from '../support/run-service.ts';
import { useRunning } from '../support/use-running.ts';

// The commands of docs/deploy.md and its two sister pages, as a reader pastes them, with doubles of AWS, its CLI and the
// framework.

jest.setTimeout(240_000);

const token = 'token-of-the-cache';
const cache = useRunning(() => startUpstashEndpoint({ token }));
const dataDir = createTempDir();
const database = useRunning(() => startDynamoDbEngine({ dataDir, environment: process.env }));
const cloud = useRunning<CloudFormationDouble>(startCloudFormation);
const copy = copyProject();

/** Writes a program that hands its arguments to a script. */
function addProgram(name: string, script: string): void {
  copy.write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(copy.root, 'bin', name), 0o755);
}

beforeAll(() => {
  mkdirSync(join(copy.root, 'bin'));
  const doubles = join(projectRoot, 'test', 'doubles');
  addProgram('serverless', `exec '${process.execPath}' '${doubles}/serverless.ts' "$@"`);
  addProgram('aws', `exec '${process.execPath}' '${doubles}/aws.ts' "$@"`);
  // The real npm would find the real framework first.
  addProgram(
    'npm',
    `[ "$1" = ci ] && exit; name=$2; shift 3; exec '${process.execPath}' "cli/$name.ts" "$@"`,
  );
  cloud.tables.set('backend-core-prod-Table-1', { isProtected: true, tags: {} });
});

const readPage = (name: string): string => readFileSync(join(projectRoot, 'docs', `${name}.md`), 'utf8');
/** The blocks for a shell, also those of a numbered list. */
const readBlocks = (text: string): string[] =>
  [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code);

/** Pastes lines into a shell. @param input what is typed when a line asks for it */
async function paste(script: string, input = ''): Promise<{ code: number; printed: string }> {
  const shell = shellEnvironment();
  const settings = {
    DATA_DIR: dataDir,
    DYNAMODB_ENDPOINT: database.endpoint,
    PATH: `${join(copy.root, 'bin')}:${shell.PATH}`,
  };
  // Bash takes a pipe of Node for a login over the network, and would read its own settings.
  const child = spawn('bash', ['--norc', '-ec', script], {
    cwd: copy.root,
    env: { ...shell, ...cloud.environment, ...settings },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, printed };
}

test('the steps of the first deployment lead to a stage with an administrator', async () => {
  const page = readPage('deploy');
  const [start = '', parameters = '', check = '', install = '', outside = '', subscribe = ''] =
    readBlocks(page);
  const deploy = /^4\. Deploy: `(.*?)`/m.exec(page)?.[1] ?? '';
  expect(outside).toContain('stage:check');
  const steps = [start, parameters, check, deploy, install, subscribe].join('\n');

  const done = await paste(steps, `${cache.url}\n${token}\n`);

  expect(done.printed).toContain('ok         parameter /backend/prod/APP_KEY');
  expect(done.printed).toContain('core: new (the stack does not exist)');
  expect(done.printed).toMatch(/^Administrator: account admin, password \S+ \(shown this once\)$/m);
  expect(done.code).toBe(0);
  // The double of the stage answers 200 to everything.
  const [output = ''] = install.split('\n');
  const asked = await paste(`${output}\n${outside}`);
  expect(asked.printed).toMatch(/^\d+ of 12 checks failed\.$/m);
});

test('the commands of every day do what the comments beside them say', async () => {
  const [daily = '', apart = ''] = readBlocks(readPage('deploy-again'));

  const deployed = await paste(daily);
  expect(deployed).toMatchObject({ code: 0, printed: expect.stringContaining('Nothing to deploy.') });

  const [build = '', prebuilt = ''] = apart.split('\n');
  const built = await paste(build);
  const [hash = ''] = /[0-9a-f]{64}/.exec(built.printed) ?? [];
  expect(await paste(prebuilt.replace('SHA256', hash))).toMatchObject({ code: 0 });
  const wrong = await paste(prebuilt.replace('SHA256', '0'.repeat(64)));
  expect(wrong.code).toBe(1);
});

/** Commands on a page, each with its options. */
function readCommands(page: string): { command: string; options: string[] }[] {
  return [...readPage(page).matchAll(/npm run (deploy|service) -- ([-\w][^`\n#;|]*)/g)].map(
    ([, script = '', rest = '']) => {
      const [name = ''] = rest.split(' ');
      return {
        command: script === 'service' ? `service ${name}` : script,
        options: [...rest.matchAll(/--[a-z-]+/g)].map(([option]) => option),
      };
    },
  );
}

test('every command of the pages exists, and takes the options that stand beside it', async () => {
  const found = ['deploy', 'deploy-again', 'deploy-trouble', 'operations', 'scale'].flatMap(readCommands);
  const commands = Map.groupBy(found, ({ command }) => command);
  expect(commands.size).toBeGreaterThan(10);

  const unknown: string[] = [];
  for (const [command, uses] of commands) {
    const [script = '', ...args] = command.split(' ');
    const { code, printed } = await runScript(`cli/${script}.ts`, [...args, '--help'], projectRoot, {});
    if (code !== 0 || !printed.includes(`npm run ${command}`.replace('service ', 'service -- ')))
      unknown.push(command);
    const taken = [...printed.matchAll(/--[a-z-]+/g)].map(([option]) => option);
    const options = uses.flatMap((use) => use.options).filter((option) => !taken.includes(option));
    unknown.push(...options.map((option) => `${command} ${option}`));
  }

  expect(unknown).toEqual([]);
});
