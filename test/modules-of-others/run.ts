import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createProgram, runProgram } from '#cli/command.ts';
import { root as project } from '#cli/project.ts';
import { writeModuleStates } from '#functions/discover/module-states.ts';
import { isModuleOfOthers, readShippedStates } from '../support/shipped-modules.ts';
import { wantedModules, writeModules } from './write-modules.ts';

/** Files and folders that a fresh clone does not have. */
const left = [
  '.git',
  '.build',
  '.data',
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
  const added = Object.keys(wantedModules).map((name) => [name, { installed: true, enabled: true }] as const);
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

async function tryModules({ keep = false }: { keep?: boolean | undefined }): Promise<void> {
  const root = join(mkdtempSync(join(tmpdir(), 'modules-')), 'project');
  try {
    cloneTo(root);
    await run(root, 'biome', 'check', '--write', '--log-level=error', ...addModules(root));
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
    ])
      await run(root, 'git', ...args);
    for (const script of ['records', 'check', 'test', 'package']) await run(root, 'npm', 'run', '-s', script);
    // The schemas of any module must suit the generators of clients.
    await run(root, 'npm', 'run', '-s', 'test:all', '--', 'test/openapi');
    console.log(`Everything is green with ${names}.`);
  } finally {
    if (keep) console.log(`Kept: ${root}`);
    else rmSync(dirname(root), { recursive: true, force: true });
  }
}

const summary =
  'Adds ten generated modules of every kind to a copy of the project, and runs the records, checks, quick tests, packaging and generators of clients there.';
const program = createProgram('npm run test:modules', summary)
  .option('--keep', 'do not remove the copy')
  .action(tryModules);
process.exitCode = await runProgram(program);
