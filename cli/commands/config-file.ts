import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { discover } from '#functions/discover/discover.ts';
import { createPermissionTable } from '#functions/discover/permissions.ts';
import { createCommand, UsageError } from '../command.ts';
import { applyChanges } from '../config-file/apply.ts';
import { verbOf } from '../config-file/changes.ts';
import { parseConfigFile } from '../config-file/format.ts';
import { preparePlan } from '../config-file/prepare.ts';
import { renderLeft, renderPlan, toLine } from '../config-file/render.ts';
import { assertAsSaved, savePlan } from '../config-file/saved-plan.ts';
import { createConfigFile, readStage, toContent } from '../config-file/stage.ts';
import { useEnvironment } from '../environment.ts';
import { root } from '../project.ts';
import { readText } from '../read-text.ts';

/** The exit code of `config:plan` if there is something to apply. */
const changesCode = 3;

async function readSelected() {
  useEnvironment();
  const found = await discover(root);
  const manifests = found.modules.map(({ manifest }) => manifest);
  return readStage(manifests, createPermissionTable(found).permissions);
}

export const configPull = createCommand(
  'config:pull',
  'write dictionaries, roles and settings of the stage to a file, without secrets',
)
  .argument('<file>', 'JSON, for git')
  .action(async (file) => {
    const stage = await readSelected();
    writeText(file, createConfigFile(stage));
    const { dictionaries, roles, secrets } = toContent(stage);
    console.log(`Wrote ${file}: ${dictionaries.length} dictionaries, ${roles.length} roles, settings`);
    if (secrets.length > 0) console.log(`Secrets that are not in it: ${secrets.join(', ')}`);
  });

const pruneOption = ['--prune', 'also remove what the file does not have'] as const;
const fileArgument = ['<file>', 'of config:pull; - for standard input'] as const;

async function plan(path: string, prune = false) {
  const file = parseConfigFile(await readText(path));
  return { file, plan: await preparePlan(await readSelected(), file, prune) };
}

const refusal = 'The file is refused: nothing was written';

export const configPlan = createCommand('config:plan', 'show what config:apply would change on the stage')
  .argument(...fileArgument)
  .option(...pruneOption)
  .option('--save <plan>', 'write the plan to a file for config:apply --plan; it has hashes, no values')
  .addHelpText('after', `config:plan exits with ${changesCode} if there are changes, else with 0.`)
  .action(async (path, { prune = false, save }) => {
    const { file, plan: prepared } = await plan(path, prune);
    console.log(renderPlan(prepared));
    console.log(`Digest: ${prepared.digest}`);
    if (prepared.faults.length > 0) throw new Error(refusal);
    if (save !== undefined) writeText(save, savePlan(prepared, file, prune));
    if (prepared.changes.length > 0) process.exitCode = changesCode;
  });

export const configApply = createCommand(
  'config:apply',
  'change dictionaries, roles and settings of the stage to those of a file; safe to repeat',
)
  .argument(...fileArgument)
  .option(...pruneOption)
  .option('--plan <plan>', 'of config:plan --save: refuse records that others have changed since')
  .option('--digest <digest>', 'of config:plan: refuse if anything has changed since')
  .action(async (path, { prune = false, plan: saved, digest }) => {
    if (path === '-' && saved === '-') throw new UsageError('Only one of the files can be standard input');
    const { file, plan: prepared } = await plan(path, prune);
    if (prepared.faults.length > 0) throw new Error(`${renderPlan(prepared)}\n${refusal}`);
    if (saved !== undefined) assertAsSaved(await readText(saved), prepared, file, prune);
    if (digest !== undefined && digest !== prepared.digest)
      throw new Error(`The stage, the file or --prune is not as of plan ${digest}. Nothing was written.`);
    await applyChanges(prepared.changes, randomUUID(), (change) =>
      console.log(`${done[verbOf(change)]} ${toLine(change.record)}`),
    );
    const { changes, left } = prepared;
    console.log([...renderLeft(left), `${changes.length} written, ${left.length} left`].join('\n'));
  });

const done = { add: 'Added', change: 'Changed', remove: 'Removed' } as const;

/** @throws Error if the file cannot be written */
function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Error(`${file} cannot be written (${Object(error).code})`, { cause: error });
  }
}
