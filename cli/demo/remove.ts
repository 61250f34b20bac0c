import { deleteItem } from '#shared/db/items.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { explain } from '../command.ts';
import { runAt } from './clock.ts';
import type { FoundDemo } from './find-demos.ts';
import { demoThings, type ListedThing, listThings, runKey } from './things.ts';

interface KeptThing {
  thing: ListedThing;
  reason: string;
}

/**
 * Removes what the demo has made, by its list. May be repeated after any failure.
 *
 * @returns what was removed; and what stays, because other records need it, with the reason
 */
export async function removeDemo(
  demos: readonly FoundDemo[],
): Promise<{ removed: ListedThing[]; kept: KeptThing[] }> {
  const removed: ListedThing[] = [];
  const kept: KeptThing[] = [];
  for (const thing of await listThings()) {
    const reason = await removeThing(demos, thing);
    if (reason === undefined) removed.push(thing);
    else kept.push({ thing, reason });
  }
  if (kept.length === 0) await deleteItem(runKey);
  return { removed, kept };
}

/** @returns the reason why the thing stays; undefined if it was removed */
async function removeThing(demos: readonly FoundDemo[], thing: ListedThing): Promise<string | undefined> {
  const { module, kind } = thing;
  const remove = demos.find((each) => each.module === module)?.demo.remove[kind];
  if (!remove) return `modules/${module}/demo.ts does not say how to remove ${kind}`;
  try {
    await remove(thing, { at: runAt });
  } catch (error) {
    const status = error instanceof AppError ? error.status : undefined;
    if (status === 409) return explain(error);
    if (status !== 404) throw error;
  }
  await deleteItem(demoThings.key(thing));
  return undefined;
}
