import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { settleAll } from '#shared/async/settle-all.ts';
import { createCommand, explain } from '../../command.ts';
import { assertFits } from '../../modules/change-state.ts';
import { findModules, manifestOf, pick } from '../../modules/find-modules.ts';
import { root } from '../../project.ts';
import { folderOf } from './module-files.ts';

/** A check of a module. @returns its problems as lines of text; empty if it has none */
type Check = (name: string, folder: string) => Promise<string>;

const checks: Record<string, Check> = {
  /** What a deployment would refuse: manifest, routes, labels, hints, keys, indexes, error codes. */
  rules: async (name) => {
    try {
      manifestOf(pick(await findModules(), name));
      await assertFits(name);
      return '';
    } catch (error) {
      return explain(error);
    }
  },
  format: (_name, folder) => run(['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', folder]),
  types: async (_name, folder) => {
    const printed = await run(['typescript-7/bin/tsc', '--pretty', 'false']);
    // Those of other modules are not its own. A detail is indented below its error.
    const own = printed.split(/\n(?! )/).filter((each) => each.startsWith(`${folder}/`));
    return own.join('\n');
  },
  tests: async (_name, folder) =>
    globSync(`${folder}/**/*.test.ts`, { cwd: root }).length === 0
      ? ''
      : run(['jest/bin/jest.js', '--silent', '--noStackTrace', folder]),
};

export const moduleCheck = createCommand(
  'module:check',
  'check a module by the rules of the service, its format, its types and its own tests',
)
  .argument('<Name>')
  .action(async (name) => {
    pick(await findModules(), name);
    const folder = folderOf(name);
    if (!existsSync(join(root, folder))) throw new Error(`There is no folder ${folder}`);
    const found = await settleAll(
      Object.entries(checks).map(async ([kind, check]) => [kind, await check(name, folder)] as const),
    );
    for (const [kind, problems] of found)
      console.log(problems === '' ? `${kind}: fine` : `${kind}:\n${problems}`);
    const wrong = found.filter(([, problems]) => problems !== '').map(([kind]) => kind);
    if (wrong.length > 0) throw new Error(`${name} has problems: ${wrong.join(', ')}`);
  });

/** Runs a program of a package. @returns what it printed if it failed */
function run([program = '', ...args]: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: root });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => printed.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? '' : Buffer.concat(printed).toString().trim()));
  });
}
