import { findRow } from '#shared/db/entity.ts';
import { getItem, transact } from '#shared/db/items.ts';
import { putItem } from '#shared/db/writes.ts';
import type { DemoRun } from '#shared/module/demo.ts';
import { runAt } from './clock.ts';
import type { FoundDemo } from './find-demos.ts';
import { demoThings, type ListedThing, listThings, runKey, ThingList } from './things.ts';

/**
 * Fills the installation with the example data of modules.
 *
 * @param print prints a line
 * @param onFilled called after the demo of each module, with what this run has made
 * @returns whether this run has made anything
 */
export async function fillDemo(
  demos: readonly FoundDemo[],
  print: DemoRun['print'],
  onFilled: (added: readonly ListedThing[]) => void,
): Promise<boolean> {
  const began = await beginRun();
  const [newest] = await listThings();
  const list = new ThingList(newest?.number ?? 0);
  const runs = demos.map(({ module, demo }) => {
    const run: DemoRun = {
      began,
      add: list.createAdd(module),
      find: (owner, kind, name) => findRow(demoThings, { module: owner, kind, name }),
      at: runAt,
      print,
    };
    return { module, demo, run };
  });
  for (const { module, demo, run } of runs) {
    await demo.fill(run);
    onFilled(list.added.filter((thing) => thing.module === module));
  }
  for (const { demo, run } of runs) await demo.finish?.(run);
  return list.added.length > 0;
}

/**
 * Notes that a run begins. The note is the first write of the command, so its entry of the audit log has the real time:
 * later writes may have an earlier one.
 *
 * @returns when the first run began
 */
async function beginRun(): Promise<Date> {
  const first = await getItem(runKey);
  const now = new Date();
  const began = first ? new Date(String(first.began_at)) : now;
  await transact([putItem({ ...runKey, began_at: began.toISOString(), last_run_at: now.toISOString() })]);
  return began;
}
