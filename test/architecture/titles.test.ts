import '../support/environment.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { Field } from '#functions/console/description.ts';
import { describeFields } from '#functions/console/fields.ts';
import { discover } from '#functions/discover/discover.ts';
import type { FoundRoute } from '#functions/model.ts';
import { admin } from '#shared/http/route.ts';
import { pageOf } from '#shared/schema/list.ts';
import { titled } from '#shared/schema/titled.ts';
import { projectRoot } from '../support/local-server.ts';

/** Parts of an answer that are the same in every list. */
const pagingNames = ['list', 'total', 'page_no', 'page_size', 'next_cursor'];

/** The fields and values of a route without a label, each with its file and what to write. */
function listUntitled({ file, route }: Pick<FoundRoute, 'file' | 'route'>): string[] {
  const { query, body, data, reference = {} } = route;
  const [answer] = describeFields(z.strictObject({ data }), 'output');
  const parts = {
    query: describeFields(query, 'text'),
    body: describeFields(reference.body ?? body, 'input'),
    data: answer?.items?.fields ?? answer?.fields ?? [],
  };
  return Object.entries(parts)
    .flatMap(([part, fields]) => fields.flatMap((field) => findUntitled(field, part)))
    .map((problem) => `${file}: ${problem} of shared/schema/titled.ts`);
}

function findUntitled(field: Field, parent: string): string[] {
  const { name, label, options = [], fields = [], items } = field;
  const path = `${parent}.${name}`;
  const isTitled = !isUntitled(name, label) || pagingNames.includes(name);
  // A single value needs no choice.
  const values =
    options.length < 2 ? [] : options.filter((each) => isUntitled(String(each.value), each.label));
  return [
    ...(isTitled
      ? []
      : [`${path} has no label in both locales: wrap its schema by titled({ zh_CN, en }, …)`]),
    ...values.map(
      ({ value }) => `${path} has no label for ${value}: add it to the options of titled({ … }, …)`,
    ),
    ...[...fields, ...(items?.fields ?? [])].flatMap((inner) => findUntitled(inner, path)),
  ];
}

/** Whether a label is empty, or only repeats the name. */
const isUntitled = (word: string, { zh_CN, en }: Field['label']): boolean =>
  zh_CN.trim() === '' || en.trim() === '' || (zh_CN === word && en === word);

describe('fields of admin routes', () => {
  test('have labels in both locales', async () => {
    const { routes } = await discover(projectRoot, (file) => import(file));
    const found = routes.filter(({ route }) => route.area === 'admin');

    expect(found.length).toBeGreaterThan(50);
    expect(found.flatMap(listUntitled)).toEqual([]);
  });

  const name = { zh_CN: '名称', en: 'Name' };
  const options = { summary: name, data: z.null(), handler: async () => null };
  const plain = z.strictObject({ name: z.string() });
  const fix = 'wrap its schema by titled({ zh_CN, en }, …) of shared/schema/titled.ts';

  test.each([
    ['query', admin.get({ ...options, query: z.object({ name: z.optional(z.string()) }) }), 'query.name'],
    ['body', admin.post({ ...options, body: plain }), 'body.name'],
    ['answer', { ...admin.get(options), data: plain }, 'data.name'],
    ['list', { ...admin.get(options), data: pageOf(plain) }, 'data.list.name'],
    ['unpaged list', { ...admin.get(options), data: z.array(plain) }, 'data.name'],
    [
      'list in a body',
      admin.post({ ...options, body: z.strictObject({ items: titled(name, z.array(plain)) }) }),
      'body.items.name',
    ],
    [
      'blank label',
      admin.post({ ...options, body: z.strictObject({ name: titled({ ...name, en: ' ' }, z.string()) }) }),
      'body.name',
    ],
  ])('are found in a %s without one', (_title, route, path) => {
    expect(listUntitled({ file: 'f.ts', route })).toEqual([
      `f.ts: ${path} has no label in both locales: ${fix}`,
    ]);
  });

  test('are found if a value of an enum has none', () => {
    const kind = titled({ ...name, options: { on: { zh_CN: '开', en: 'On' } } }, z.enum(['on', 'off']));
    const route = admin.post({ ...options, body: z.strictObject({ kind }) });

    expect(listUntitled({ file: 'f.ts', route })).toEqual([
      'f.ts: body.kind has no label for off: add it to the options of titled({ … }, …) of shared/schema/titled.ts',
    ]);
  });
});

test('marks stand in the schema of a label, not around it: in functions they would mark a shared schema', () => {
  const files = ['modules', 'shared'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const wrong = files.filter((file) =>
    /\b(label|secret)\(\s*titled\(/.test(readFileSync(join(projectRoot, file), 'utf8')),
  );

  expect(wrong).toEqual([]);
});
