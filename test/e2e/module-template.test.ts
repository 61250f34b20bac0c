import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { folderOf } from '#cli/commands/modules/module-files.ts';
import { checkImports } from '../architecture/check-imports.ts';
import { projectRoot } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { runService } from '../support/run-service.ts';

// The files that `module:make` writes pass the project's own checks, for any name.

const copy = copyProject(['test', 'bench', 'jest.config.js', 'biome.json', '.gitignore']);
/** The shortest name, a usual one, one with a digit and a run of capitals, the longest. */
const names = ['S', 'Shop', 'Web3AI', `A${'b'.repeat(28)}`];
const folders = names.map(folderOf);
const timeoutMs = 120_000;

beforeAll(async () => {
  for (const name of names) {
    expect(await runService(copy.root, {}, 'module:make', name)).toMatchObject({ code: 0 });
  }
}, timeoutMs);

/** Runs a program of the project in the copy; returns its output. */
function runProgram(name: string, ...args: string[]): Promise<{ code: number; printed: string }> {
  const { PATH, HOME } = process.env;
  const program = join(projectRoot, 'node_modules', '.bin', name);
  const options = { cwd: copy.root, env: { PATH, HOME, NO_COLOR: '1' } };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), printed: stdout + stderr }),
    );
  });
}

test('is formatted and linted', async () => {
  const { code, printed } = await runProgram('biome', 'ci', '--error-on-warnings', ...folders);

  expect(printed).toContain(`Checked ${names.length * 14} files`);
  expect({ code, printed }).toMatchObject({ code: 0 });
}, 60_000);

test(
  'has its types right',
  async () => {
    // Only the generated files and their imports are checked.
    copy.write('tsconfig.made.json', JSON.stringify({ extends: './tsconfig.json', include: folders }));
    const { printed } = await runProgram('tsc', '--project', 'tsconfig.made.json', '--pretty', 'false');

    // Errors of the call itself name no file.
    expect(printed).not.toMatch(/^error TS/m);
    const faults = printed.split('\n').filter((line) => folders.some((each) => line.startsWith(`${each}/`)));
    expect(faults).toEqual([]);
  },
  timeoutMs,
);

test(
  'passes its own test',
  async () => {
    const paths = folders.map((folder) => `${folder}/`);
    const { code, printed } = await runProgram('jest', '--runInBand', ...paths);

    expect(printed).toContain(`Test Suites: ${names.length} passed, ${names.length} total`);
    expect(code).toBe(0);
  },
  timeoutMs,
);

test('imports only what a module may', () => {
  const files = ['modules', 'shared'].flatMap((folder) =>
    readdirSync(join(copy.root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`),
  );
  const sources = files.map((file): [string, string] => [file, readFileSync(join(copy.root, file), 'utf8')]);

  const problems = checkImports(Object.fromEntries(sources));

  expect(files).toContain('modules/Shop/kinds/kinds.ts');
  expect(problems.filter((problem) => names.some((name) => problem.includes(`modules/${name}/`)))).toEqual(
    [],
  );
});
