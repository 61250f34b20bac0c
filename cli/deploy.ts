import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { generate } from '#functions/generate.ts';
import { listChangedStacks } from '#functions/stacks/changed-stacks.ts';
import { aggregateStack, listStacks } from '#functions/stacks/stack.ts';
import { moduleNamePattern, toRoutePrefix } from '#shared/module/module.ts';
import { root } from './project.ts';

// `npm run deploy -- --stage STAGE [--module NAME…] [--changed-since REF] [--dry-run]`

const usage = `npm run deploy -- --stage STAGE [options]

  --stage STAGE         the stage, as prod
  --module NAME         only this module's stack (System, or a stack's name: core) and aggregate; may be repeated
  --changed-since REF   only stacks with files that differ from a commit
  --dry-run             say what would be deployed`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      module: { type: 'string', multiple: true },
      'changed-since': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  if (!values.stage || (values.module && values['changed-since'])) throw new TypeError(usage);
  return { ...values, stage: values.stage };
}

type Options = ReturnType<typeof readOptions>;

function chooseStacks(all: readonly string[], { module: modules, 'changed-since': ref }: Options): string[] {
  if (ref !== undefined) return listChangedStacks(listChangedFiles(ref), all);
  if (!modules) return [...all];
  const chosen = new Set(modules.map((name) => (moduleNamePattern.test(name) ? toRoutePrefix(name) : name)));
  const unknown = [...chosen].find((stack) => !all.includes(stack));
  if (unknown) throw new TypeError(`there is no stack "${unknown}": it takes one of ${all.join(', ')}`);
  // It holds something of every module.
  return all.filter((stack) => chosen.has(stack) || stack === aggregateStack);
}

function listChangedFiles(ref: string): string[] {
  const { status, stdout, stderr } = spawnSync('git', ['diff', '--name-only', '-z', ref, '--'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new TypeError(`git knows no difference to ${ref}: ${stderr.trim()}`);
  return stdout.split('\0').filter((file) => file !== '');
}

async function deploy(): Promise<void> {
  const options = readOptions();
  const stacks = chooseStacks(listStacks(await generate(root)), options);
  console.log(stacks.length > 0 ? `Stacks: ${stacks.join(', ')}` : 'Nothing to deploy.');
  for (const stack of options['dry-run'] ? [] : stacks) {
    const env = { ...process.env, MODULE: stack };
    const args = ['deploy', '--stage', options.stage];
    const { status } = spawnSync('serverless', args, { cwd: root, env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`${stack} was not deployed; stacks after it were not begun`);
  }
}

try {
  await deploy();
} catch (error) {
  const isUsage = error instanceof TypeError;
  console.error(error instanceof Error ? error.message : error);
  process.exit(isUsage ? 2 : 1);
}
