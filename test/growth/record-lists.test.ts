import '../support/environment.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { database } from '#shared/db/client.ts';
import type { Route } from '#shared/http/route.ts';
import { listRoute } from '#shared/records/admin-routes.ts';
import { fillTable } from '../../bench/growth/fill-table.ts';
import { countReads } from '../../bench/growth/reads.ts';
import ticket from '../../docs/examples/Ticket/module.ts';
import { useDatabase } from '../support/database.ts';
import { discoverShipped } from '../support/shipped-modules.ts';
import { type FilledList, kinds, shippedLists } from './list-fixture.ts';

useDatabase('dynoxide', [ticket]);

/** Rows of each kind. 100,000 by `GROWTH_ROWS=100000`, which takes ten minutes. */
const sizes = [100, Number(process.env.GROWTH_ROWS ?? 3000)];
const pageSize = '20';
/** Lists of what is bounded, or which another test of this folder reads. */
const others = /\/(revisions|audit\/list|audit\/mine|token\/list)$/;

interface Page {
  list: unknown[];
  next_cursor: string | null;
  partial?: true;
}
interface List extends FilledList {
  name: string;
  route: Route;
}

let lists: List[] = [];
let reads = 0;

beforeAll(async () => {
  const db = await database();
  const send = db.send.bind(db) as (...given: unknown[]) => Promise<object>;
  jest.spyOn(db, 'send').mockImplementation(async (...given: unknown[]) => {
    const answer = await send(...given);
    reads += countReads(answer).items;
    return answer;
  });
  const { routes } = await discoverShipped();
  const shipped = routes.filter(({ route, path }) => 'cursor' in parametersOf(route) && !others.test(path));
  // A list that is not in the fixture has no rows and no samples: add it there.
  expect(shipped.map(({ path }) => path).sort()).toEqual(Object.keys(shippedLists).sort());
  lists = [
    ...shipped.map(({ route, path }) => ({ name: path, route, ...(shippedLists[path] as FilledList) })),
    ...Object.entries(kinds).map(([name, { kind, ...rest }]) => ({
      ...{ name, route: listRoute(kind as never), ...rest },
    })),
  ];
}, 120_000);

const parametersOf = ({ query }: Route): object => Object(query)._zod?.def.shape ?? {};

/** Every single parameter, and with `isPair` every two of them that the schema takes. */
function listQueries({ samples, route }: List, isPair: boolean): Record<string, string>[] {
  const singles = Object.entries(samples).flatMap(([name, values]) =>
    values.map((value) => ({ [name]: value })),
  );
  const pairs = singles.flatMap((a, at) => singles.slice(at + 1).map((b) => ({ ...b, ...a })));
  const wanted = isPair ? pairs.filter((pair) => Object.keys(pair).length > 1) : [{}, ...singles];
  return wanted.filter((query) => z.safeParse(route.query as z.ZodMiniType, query).success);
}

async function readPage({ route }: List, query: Record<string, string>): Promise<Page> {
  const context = { query: z.parse(route.query as z.ZodMiniType, { ...query, limit: pageSize }) };
  const { prefetch, handler } = Object(route);
  const prefetched = await prefetch?.(context);
  return handler({ ...context, prefetched });
}

/** Items that each of the first pages reads; caches are warm. */
async function readPages(list: List, query: Record<string, string>) {
  await readPage(list, query);
  const pages: (Page & { reads: number })[] = [];
  let cursor: string | undefined;
  do {
    reads = 0;
    const page = await readPage(list, { ...query, ...(cursor !== undefined && { cursor }) });
    pages.push({ ...page, reads });
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && pages.length < 2);
  return pages;
}

const isSearch = (query: object): boolean => 'search' in query || 'keyword' in query;
const nameOf = ({ name }: List, query: object): string => `${name} ${JSON.stringify(query)}`;

/** Reads of the first pages of each list, by query: those of an index, and those that compare rows. */
async function measure() {
  const exact: Record<string, number[]> = {};
  const compared: Record<string, (Page & { reads: number })[]> = {};
  for (const list of lists) {
    for (const query of [...listQueries(list, false), ...listQueries(list, true)]) {
      const pages = await readPages(list, query);
      const isExact = !isSearch(query) && Object.keys(query).length < 2;
      if (isExact) exact[nameOf(list, query)] = pages.map((page) => page.reads);
      else compared[nameOf(list, query)] = pages;
    }
  }
  return { exact, compared };
}

describe('lists of records', () => {
  const measured: Awaited<ReturnType<typeof measure>>[] = [];

  beforeAll(async () => {
    let filled = 0;
    for (const size of sizes) {
      const kept = new Set(lists.map(({ toItem }) => toItem));
      for (const toItem of kept) await fillTable(filled, size, toItem);
      filled = size;
      measured.push(await measure());
    }
  }, 1_800_000);

  test('have samples of every parameter that their routes declare', () => {
    for (const list of lists) {
      const { limit: _limit, cursor: _cursor, ...parameters } = Object(parametersOf(list.route));
      expect([list.name, Object.keys(parameters).sort()]).toEqual([
        list.name,
        Object.keys(list.samples).sort(),
      ]);
    }
  });

  test('read as many items a page of few and of many records, for every filter and order', () => {
    const [few, many] = measured;

    expect(many?.exact).toEqual(few?.exact);
    const all = Object.values(many?.exact ?? {}).flat();
    // Twice a page: a category of articles is in two partitions.
    expect(Math.max(...all)).toBeLessThanOrEqual(2 * (Number(pageSize) + 1));
    expect(all.filter((items) => items >= Number(pageSize)).length).toBeGreaterThan(20);
  });

  test('read at most 1,000 items for a search or a second filter', () => {
    const compared = Object.entries(measured[1]?.compared ?? {});
    const tooMany = compared.filter(([, pages]) => pages.some((page) => page.reads > 1000));

    expect(compared.length).toBeGreaterThan(20);
    expect(tooMany.map(([name]) => name)).toEqual([]);
  });

  test('say that a search goes on, if it found nothing in what it read', () => {
    const vain = Object.entries(measured[1]?.compared ?? {}).filter(([name]) =>
      name.endsWith('{"search":"none"}'),
    );

    expect(vain.length).toBe(lists.filter(({ samples }) => 'search' in samples).length);
    for (const [name, [page]] of vain) {
      expect([name, page]).toEqual([name, expect.objectContaining({ list: [], partial: true })]);
      expect([name, page?.next_cursor]).toEqual([name, expect.any(String)]);
    }
  });
});
