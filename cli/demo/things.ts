import * as z from 'zod/mini';
import { findTarget } from '#shared/audit/target.ts';
import { defineEntity, findRow, listPartition, putRow } from '#shared/db/entity.ts';
import { type Key, singleKey, type Write } from '#shared/db/items.ts';
import { joinWrite } from '#shared/db/joined-writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { DemoRun, DemoThing } from '#shared/module/demo.ts';

/** A thing in the list of what the demo has made. */
const listedThing = z.object({
  module: z.string(),
  kind: z.string(),
  name: z.string(),
  id: z.nullable(z.string()),
  data: z.record(z.string(), z.unknown()),
  /** Place in the order of creation, from 1. */
  number: z.int(),
});
export type ListedThing = z.infer<typeof listedThing>;

const partition = 'DEMO';

export const demoThings = defineEntity({
  row: listedThing,
  key: ({ module, kind, name }: Pick<ListedThing, 'module' | 'kind' | 'name'>): Key => ({
    pk: partition,
    sk: `${module}#${kind}#${name}`,
  }),
  missing: () => new AppError('internal'),
});

/** The item of the first run. */
export const runKey = singleKey('DEMO_RUN');

/** All things, the newest first. */
export const listThings = async (): Promise<ListedThing[]> =>
  (await listPartition(demoThings, partition)).sort((a, b) => b.number - a.number);

/** What the demo of a module makes goes into the list, in the transaction that makes it. */
export class ThingList {
  #last: number;
  /** What this run has made. */
  readonly added: ListedThing[] = [];

  /** @param last number of the newest thing */
  constructor(last: number) {
    this.#last = last;
  }

  /** Makes {@link DemoRun.add} for a module. */
  readonly createAdd =
    (module: string): DemoRun['add'] =>
    async (kind, name, work, data = {}) => {
      const known = await findRow(demoThings, { module, kind, name });
      if (known) return { ...known, isNew: false };
      const number = this.#last + 1;
      let thing: ListedThing = { module, kind, name, id: null, data, number };
      let isWritten = false;
      const join = {
        create: async (writes: readonly Write[]) => {
          thing = { ...thing, id: findId(writes) };
          return [putRow(demoThings, thing)];
        },
        onWritten: () => {
          isWritten = true;
        },
      };
      await joinWrite(join, work);
      if (!isWritten) throw new Error(`the demo of ${module} wrote nothing for ${kind} "${name}"`);
      this.#last = number;
      this.added.push(thing);
      return { ...thing, isNew: true };
    };
}

/** The ID in the target of a transaction: `01J…` of `order:01J…`. */
const findId = (writes: readonly Write[]): DemoThing['id'] =>
  findTarget(writes)?.replace(/^[^:]*:/, '') ?? null;
