import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { runScript, runService } from '../support/run-service.ts';

const { scripts, version }: { scripts: Record<string, string>; version: string } = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
);
/** Scripts that run a file of this project, and nothing else: options go to the last program. */
const own = Object.entries(scripts).flatMap(([name, command]) => {
  const [program, file] = command.split(' ');
  return program === 'node' && file?.endsWith('.ts') && !command.includes('&&') ? [{ name, file }] : [];
});

const run = (file: string, args: string[], environment: NodeJS.ProcessEnv) =>
  runScript(file, args, projectRoot, environment);

test('every script is checked for help and refusals', () => {
  const some = 'start console package deploy bench load hostile soak mutants docs screenshots'.split(' ');
  expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(some));
});

test.each(own)('npm run $name shows its help, and does nothing', async ({ name, file }) => {
  const DATA_DIR = join(createTempDir(), 'data');

  const { code, printed, complaint } = await run(file, ['--help'], { DATA_DIR, PORT: '0' });

  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  expect(printed.split('\n')[0]).toBe(
    `Usage: npm ${name === 'start' ? name : `run ${name}`} -- [options]${name === 'service' ? ' [command]' : ''}`,
  );
  expect(existsSync(DATA_DIR)).toBe(false);
});

test.each(own)('npm run $name refuses an option that does not exist', async ({ file }) => {
  const { code, printed, complaint } = await run(file, ['--hepl'], {
    DATA_DIR: '/proc/nope',
    PORT: '0',
  });

  expect({ code, printed }).toEqual({ code: 2, printed: '' });
  expect(complaint).toMatch(/^error: (unknown option '--hepl'\n\(Did you mean --help\?\)|required option )/);
});

test('npm run service -- --version prints the version of the project', async () => {
  const result = await runService(projectRoot, {}, '--version');
  expect(result).toEqual({ code: 0, printed: version, complaint: '' });
});
