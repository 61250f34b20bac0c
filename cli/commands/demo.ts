import * as z from 'zod/mini';
import { discover } from '#functions/discover/discover.ts';
import { EnvironmentError, environment } from '#shared/config/environment.ts';
import { withoutRevisions } from '#shared/db/revisions/keep.ts';
import { createCommand } from '../command.ts';
import { fillDemo } from '../demo/fill.ts';
import { findDemos } from '../demo/find-demos.ts';
import { removeDemo } from '../demo/remove.ts';
import { type ListedThing, listThings } from '../demo/things.ts';
import { useLocalServer } from '../environment.ts';
import { findModules } from '../modules/find-modules.ts';
import { root } from '../project.ts';
import { recordCommand } from '../record-command.ts';

const help = `
Only for the installation of a running local server (npm start), or for a preview. Each enabled module makes its own
data. What an earlier run has made is not made again.

--remove takes away what demo has made, by the list that it keeps, also if it was edited since. Other records stay. The
entries of the audit log stay too, because no command deletes them: those of the example data have a request ID that
begins with "demo-".`;

const input = z.object({ remove: z.boolean() });

export const demo = createCommand('demo', 'fill the local installation with example data')
  .option('--remove', 'take away what demo has made, and only that')
  .option('--preview <STAGE>', 'fill a deployed preview, with the environment of its functions')
  .addHelpText('after', help)
  .action(async ({ remove = false, preview }) => {
    // Lines of the log would stand between those of the command.
    process.env.LOG_LEVEL ||= 'warn';
    if (preview === undefined) useLocalServer();
    else await usePreview(preview);
    await recordCommand('demo', input, { remove }, () => withoutRevisions(remove ? empty : fill));
  });

/** Selects the table of the environment if it belongs to a preview. @throws EnvironmentError for any other one */
async function usePreview(stage: string): Promise<void> {
  // Only this option needs the clients of AWS.
  const { readPreviewTable } = await import('../deploy/preview.ts');
  const table = await readPreviewTable(stage);
  if (process.env.TABLE_NAME !== table)
    throw new EnvironmentError(`The environment selects another table (TABLE_NAME) than ${table}`);
  environment();
}

async function fill(): Promise<void> {
  const { modules } = await discover(root);
  const demos = await findDemos(modules.map(({ manifest }) => manifest));
  const print = (line: string) => console.log(line);
  const isChanged = await fillDemo(demos, print, (added) => printCounts('Added', added));
  if (!isChanged) console.log('Nothing to do: the example data is there. demo --remove takes it away');
}

async function empty(): Promise<void> {
  if ((await listThings()).length === 0) {
    console.log('Nothing to do: there is no example data');
    return;
  }
  // A disabled module may have made some of it.
  const modules = await findModules();
  const { removed, kept } = await removeDemo(await findDemos(modules.flatMap((each) => each.manifest ?? [])));
  printCounts('Removed', removed);
  if (kept.length === 0) return;
  const lines = kept.map(({ thing, reason }) => `  ${describeKind(thing)} "${thing.name}": ${reason}`);
  throw new Error(['These stay, because other records need them:', ...lines].join('\n'));
}

const describeKind = ({ kind }: ListedThing): string => kind.replaceAll('_', ' ');

/** Prints how many things of each kind there are. */
function printCounts(verb: string, things: readonly ListedThing[]): void {
  for (const [module, own] of Map.groupBy(things, (thing) => thing.module)) {
    const counts = [...Map.groupBy(own, describeKind)].map(([kind, { length }]) => `${length} ${kind}`);
    console.log(`${verb} by ${module}: ${counts.join(', ')}`);
  }
}
