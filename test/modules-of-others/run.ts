import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { createProgram, runProgram } from '#cli/command.ts';
import { root as project } from '#cli/project.ts';
import { writeModuleStates } from '#functions/discover/module-states.ts';
import { isModuleOfOthers, readShippedStates } from '../support/shipped-modules.ts';
import { fieldLists } from './random-fields.ts';
import { wantedModules, writeModules } from './write-modules.ts';

/** Files and folders that a fresh clone does not have. */
const left = [
  '.git',
  '.build',
  '.data',
  '.undo',
  '.env',
  'node_modules',
  'bench/node_modules',
  'test/clients/node_modules',
];

/** Copies the project with its shipped modules, as a clone would. */
function cloneTo(root: string): void {
  const filter = (file: string) => !left.includes(relative(project, file)) && !isModuleOfOthers(file);
  cpSync(project, root, { recursive: true, filter });
  for (const folder of left.filter((each) => each.endsWith('node_modules'))) {
    symlinkSync(join(project, folder), join(root, folder));
  }
}

/** Writes all modules as a developer would, and enables them. */
function addModules(root: string): string[] {
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const folders = writeModules({ write });
  // The example of the docs, as a user would take it.
  cpSync(join(root, 'docs', 'examples', 'Ticket'), join(root, 'modules', 'Ticket'), { recursive: true });
  const added = [...Object.keys(wantedModules), 'Ticket'].map(
    (name) => [name, { installed: true, enabled: true }] as const,
  );
  writeModuleStates(root, new Map([...readShippedStates(), ...added]));
  return folders;
}

/** Runs a command in the copy, and shows what it prints. @throws Error if it fails */
async function run(root: string, command: string, ...args: string[]): Promise<void> {
  console.log(`> ${[command, ...args].join(' ')}`);
  const [code] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'close');
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}, with ${names}`);
}

const names = Object.keys(wantedModules).join(', ');

/** Ten resources with random fields, in two new modules. */
const resources = fc.sample(fieldLists, { numRuns: 10, seed: 26 });

async function makeResources(root: string): Promise<void> {
  for (const [at, fields] of resources.entries()) {
    const [module = '', ...parts] = at % 2 === 0 ? ['Stock', '--tools'] : ['Depot', '--open'];
    const args = ['resource:make', module, `item_${'abcdefghij'.charAt(at)}`, ...fields, ...parts];
    await run(root, 'npm', 'run', '-s', 'service', '--', ...args);
  }
}

/** Edits one of them by hand, and adds a field to it. */
async function addField(root: string): Promise<void> {
  const file = join(root, 'modules', 'Stock', 'item-as', 'item-as.ts');
  const edited = readFileSync(file, 'utf8').replace(
    /^ {2}fields: \{$/m,
    '  // What is counted at the end of a year.\n$&',
  );
  writeFileSync(file, edited);
  const args = ['resource:field', 'Stock', 'item_a', 'added_later:integer(0,9) optional'];
  await run(root, 'npm', 'run', '-s', 'service', '--', ...args);
}

/** Runs quick tests. Suites that failed run once more, one at a time, as in `.ci/run`. */
async function runTests(root: string, config: string): Promise<void> {
  const test = ['jest', '--config', config] as const;
  try {
    await run(root, ...test);
  } catch {
    console.log('These suites failed, and run once more:');
    await run(root, ...test, '--onlyFailures', '--maxWorkers=1');
  }
}

interface TryOptions {
  keep?: boolean | undefined;
  /** Runs all of `npm test` and packages every stack, not only what modules can turn red. */
  all?: boolean | undefined;
}

async function tryModules({ keep = false, all = false }: TryOptions): Promise<void> {
  const root = join(mkdtempSync(join(tmpdir(), 'modules-')), 'project');
  try {
    cloneTo(root);
    await run(root, 'biome', 'check', '--write', '--log-level=error', ...addModules(root));
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
    ])
      await run(root, 'git', ...args);
    await makeResources(root);
    await addField(root);
    for (const script of ['records', 'format:check', 'types']) await run(root, 'npm', 'run', '-s', script);
    await runTests(root, all ? 'jest.quick.config.js' : join('test', 'modules-of-others', 'jest.config.js'));
    // The records have packaged the new stacks and the shared ones, with the same checks.
    if (all) await run(root, 'npm', 'run', '-s', 'package');
    // The schemas of any module must suit the generators of clients.
    await run(root, 'npm', 'run', '-s', 'test:all', '--', 'test/openapi');
    console.log(`Everything is green with ${names}, Ticket, and ten resources.`);
  } finally {
    if (keep) console.log(`Kept: ${root}`);
    else rmSync(dirname(root), { recursive: true, force: true });
  }
}

const summary =
  'Adds ten generated modules of every kind, the example of the docs and ten resources with random fields, one of them edited by hand, to a copy of the project, and runs the records with their packaging, checks, quick tests and generators of clients there.';
const program = createProgram('npm run test:modules', summary)
  .option('--keep', 'do not remove the copy')
  .option('--all', 'run all of `npm test` there and package every stack, not only what modules can turn red')
  .action(tryModules);
process.exitCode = await runProgram(program);
