import '../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { Field } from '#functions/console/description.ts';
import { describeFields } from '#functions/console/fields.ts';
import { discover } from '#functions/discover.ts';
import type { FoundRoute } from '#functions/model.ts';
import { projectRoot } from '../support/local-server.ts';

/** Parts of an answer that are the same in every list. */
const paging = ['list', 'total', 'page_no', 'page_size', 'next_cursor'];

/** Each field of a route without a label, and each value of an enum without one. */
function listUntitled({ file, route }: FoundRoute): string[] {
  const { query, body, data, reference = {} } = route;
  const parts = {
    query: describeFields(query, 'text'),
    body: describeFields(reference.body ?? body, 'input'),
    data: describeFields(z.strictObject({ data }), 'output').flatMap(
      ({ fields, items }) => items?.fields ?? fields ?? [],
    ),
  };
  const paths = Object.entries(parts).flatMap(([part, fields]) =>
    fields.flatMap((field) => findUntitled(field, part)),
  );
  return paths.map(
    (path) => `${file}: ${path} has no label: write its schema as titled({ zh_CN: '…', en: '…' }, schema)`,
  );
}

/** Whether a label is empty, or only repeats the name. */
const isUntitled = (word: string, { zh_CN, en }: Field['label']): boolean =>
  zh_CN.trim() === '' || en.trim() === '' || (zh_CN === word && en === word);

function findUntitled({ name, label, options = [], fields, items }: Field, parent: string): string[] {
  const path = `${parent}.${name}`;
  const values =
    options.length < 2 ? [] : options.filter((each) => isUntitled(String(each.value), each.label));
  const inner = [...(fields ?? []), ...(items?.fields ?? [])].flatMap((field) => findUntitled(field, path));
  return [
    ...(isUntitled(name, label) && !paging.includes(name) ? [path] : []),
    ...values.map(({ value }) => `${path}, option ${value}`),
    ...inner,
  ];
}

describe('fields of admin routes', () => {
  test('have labels in both locales', async () => {
    const { routes } = await discover(projectRoot, (file) => import(file));
    const untitled = routes.filter(({ route }) => route.area === 'admin').flatMap(listUntitled);

    expect(untitled).toEqual([]);
  });
});
