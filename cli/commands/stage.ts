import { productionStage } from '#functions/names.ts';
import { coreStack } from '#functions/stacks/stack.ts';
import { createCommand, UsageError } from '../command.ts';
import { listLeftovers } from '../stages/sweep.ts';
import { askFor } from '../terminal.ts';

/** Loads the clients of AWS, which other commands do not need. */
async function loadStages() {
  const { readRegion } = await import('../deploy/stack-state.ts');
  const { listStages } = await import('../stages/find-stages.ts');
  const { removeStage } = await import('../stages/remove-stage.ts');
  const region = readRegion();
  return { region, stages: await listStages(region), removeStage };
}

const removeHelp = `
The stacks go in the order aggregate, modules, core, and their deployment buckets are emptied. The table stays with all
data, except with --with-table, which also deletes the parameters of the stage. Repeat the command after an interruption.`;

export const stageRemove = createCommand('stage:remove', 'remove a deployed stage; its table stays')
  .argument('<STAGE>')
  .option('--with-table', 'also delete the table with all data, and the parameters of the stage')
  .option('--yes <STAGE>', "the stage's name again, instead of typing it")
  .option('--stack <NAME>', 'only this stack, to deploy it again; not core')
  .option('--production', `needed for the stage ${productionStage}`)
  .addHelpText('after', removeHelp)
  .action(async (stage, { withTable = false, yes, stack: chosen, production: isProduction = false }) => {
    if (chosen === coreStack || (chosen && withTable))
      throw new UsageError('--stack removes a stack that holds no data: a module, or aggregate');
    if (stage === productionStage && !isProduction)
      throw new UsageError(`the stage ${productionStage} is removed with --production only`);
    const { region, stages, removeStage } = await loadStages();
    const stacks = (stages.get(stage) ?? []).filter(({ stack }) => chosen === undefined || stack === chosen);
    if (stacks.length === 0 && !withTable) {
      console.log(
        `Nothing to do: the stage ${stage} has no ${chosen ? `stack ${chosen}` : 'stacks'} in ${region}`,
      );
      return;
    }
    const table = withTable ? 'the table with all data is deleted too' : 'the table stays';
    console.log(`Removes ${stacks.map(({ name }) => name).join(', ') || 'no stack'}; ${table}.`);
    await askFor(stage, yes);
    await removeStage({ region, stage, stacks, withTable });
  });

const sweepHelp = `
Removes previews, with their tables and parameters, and never a stage without the tag of a preview. Repeat the command
after an interruption.`;

export const stageSweep = createCommand('stage:sweep', 'remove the previews that nothing needs any more')
  .option('--open <NUMBERS>', 'numbers of the open pull requests, separated by commas: removes all others')
  .option('--days <N>', 'removes previews that are so many days old')
  .option('--dry-run', 'only list them')
  .addHelpText('after', sweepHelp)
  .action(async ({ open, days, dryRun = false }) => {
    if (open === undefined && days === undefined) throw new UsageError('use --open, --days, or both');
    const rules = {
      open: open === undefined ? undefined : readNumbers('--open', open),
      days: days === undefined ? undefined : readDays(days),
      now: new Date(),
    };
    const { region, stages, removeStage } = await loadStages();
    const failed: string[] = [];
    const leftovers = listLeftovers(stages, rules);
    if (leftovers.length === 0) console.log('Nothing to do: no preview is left over');
    for (const stage of leftovers) {
      console.log(`${stage}: ${dryRun ? 'is left over' : 'is removed'}`);
      const options = { region, stage, stacks: stages.get(stage) ?? [], withTable: true };
      if (!dryRun) await removeStage(options).catch((error: Error) => failed.push(error.message));
    }
    if (failed.length > 0) throw new Error(failed.join('\n'));
  });

/** @throws UsageError if this is not a whole number from 1 */
function readDays(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--days is "${text}": it takes a whole number, from 1`);
}

/** Reads numbers separated by commas; an empty text has none. @throws UsageError for anything else */
function readNumbers(option: string, text: string): number[] {
  if (text === '') return [];
  if (/^\d+(,\d+)*$/.test(text)) return text.split(',').map(Number);
  throw new UsageError(`${option} is "${text}": it takes numbers, separated by commas`);
}
