import { seedDictionary } from '../../shared/dict/seed.ts';
import type { Stack } from '../stack.ts';
import { dictCase, fileCases, type GrowthCase, toolCases } from './cases.ts';
import { fillTable } from './fill-table.ts';
import {
  createArticleItem,
  createDictItem,
  createFileItem,
  createUserCounters,
  createUserItem,
} from './items.ts';
import { type CaseReads, measureReads } from './measure-reads.ts';

/** What requests read with few items in the table, and with many. */
export interface Growth {
  name: string;
  bound: GrowthCase['bound'];
  few: { count: number } & CaseReads;
  many: { count: number } & CaseReads;
}

/** Records whose number grows. */
interface Growing {
  few: number;
  many: number;
  cases: GrowthCase[];
  /** Adds records up to this number. */
  growTo(count: number): Promise<void>;
}

/** A dictionary of its own, up to the most items that one may have. */
const dict = { typeKey: 'bench_growth', few: 10, many: 10_000 };

/**
 * Counts reads at two sizes of the table.
 *
 * @param many users and files of the larger one
 */
export async function measureGrowth(root: string, stack: Stack, many: number): Promise<Growth[]> {
  const { token } = stack;
  const grown = (create: Parameters<typeof fillTable>[2]) => {
    let there = 0;
    return async (count: number) => {
      await fillTable(there, count, create);
      there = count;
    };
  };
  const addUsers = grown(createUserItem);
  const all: Growing[] = [
    {
      few: 100,
      many,
      cases: toolCases(token),
      growTo: async (count) => {
        await addUsers(count);
        const counters = createUserCounters(count);
        await fillTable(0, counters.length, (index) => counters[index] ?? {});
      },
    },
    { few: 100, many, cases: fileCases(token), growTo: grown(createFileItem) },
    {
      ...dict,
      cases: [dictCase(dict.typeKey)],
      growTo: grown((index) => createDictItem(dict.typeKey, index)),
    },
  ];
  await seedDictionary({ type_key: dict.typeKey, name: 'Growth', public: true, items: [] });
  // As many as a tool lists, so that it has something to read.
  await fillTable(0, 20, createArticleItem);
  const results: Growth[] = [];
  for (const growing of all) results.push(...(await measureOne(root, stack, growing)));
  return results;
}

async function measureOne(root: string, stack: Stack, growing: Growing): Promise<Growth[]> {
  const { cases, few, many, growTo } = growing;
  const measureAll = async (count: number) => {
    await growTo(count);
    const reads: Growth['few'][] = [];
    for (const each of cases) reads.push({ count, ...(await measureReads(root, stack, each)) });
    return reads;
  };
  const withFew = await measureAll(few);
  const withMany = await measureAll(many);
  return cases.flatMap(({ name, bound }, index) => {
    const [a, b] = [withFew[index], withMany[index]];
    return a && b ? [{ name, bound, few: a, many: b }] : [];
  });
}
