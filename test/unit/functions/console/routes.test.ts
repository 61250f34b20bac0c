import '../../../support/environment.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createConsoleDescription } from '#functions/console/create-description.ts';
import type { Action, ConsoleDescription, Field } from '#functions/console/description.ts';
import type { Manifest } from '#functions/model.ts';
import { discoverShipped } from '../../../support/shipped-modules.ts';

let manifest: Manifest;
let described: ConsoleDescription;
beforeAll(async () => {
  manifest = await discoverShipped();
  described = createConsoleDescription(manifest);
});

function findPage(path: string) {
  const page = described.pages.find((each) => each.path === path);
  if (!page) throw new Error(`no page ${path}`);
  return page;
}

function findAction(page: string, name: string): Action {
  const action = findPage(page).actions.find((each) => each.name === name);
  if (!action) throw new Error(`${page} has no action ${name}`);
  return action;
}

/** A field in one word: `title`, `cover?: media/image`, `cid: id|null`. */
function format({ name, type, required, nullable, items, media, dictionary }: Field): string {
  const kind = [type, media ?? dictionary].filter(Boolean).join('/');
  const of = items ? ` of ${items.type}` : '';
  return `${name}${required ? '' : '?'}: ${kind}${of}${nullable ? '|null' : ''}`;
}

const labels = {
  status: {
    label: { zh_CN: '状态', en: 'Status' },
    options: [
      { value: 'enabled', label: { zh_CN: '启用', en: 'Enabled' } },
      { value: 'disabled', label: { zh_CN: '停用', en: 'Disabled' } },
    ],
  },
};

describe('the page of articles', () => {
  const path = 'article/article';

  test('lists articles by cursor, with a search, a dictionary and a status as filters', () => {
    expect(findPage(path)).toMatchObject({
      module: 'Article',
      title: { zh_CN: '文章', en: 'Articles' },
      list: {
        path: '/adminapi/article/article/list',
        title: { zh_CN: '文章列表', en: 'List articles' },
        permission: { path: 'article/article/list', kind: 'read' },
        paging: 'cursor',
      },
    });
    expect(findPage(path).list.query.map(format)).toEqual([
      'search?: text',
      'category?: dictionary/article_category',
      'status?: enum',
    ]);
    expect(findPage(path).list.item.map(format)).toEqual([
      'id: id',
      'title: text',
      'category: dictionary/article_category',
      'cover: media/image',
      'summary: multiline',
      'status: enum',
      'version: integer',
      'published_at: time|null',
      'created_at: time',
      'updated_at: time',
    ]);
  });

  test('has forms with limits, labels and rich text', () => {
    const { body } = findAction(path, 'add');

    expect(body.map(format)).toEqual([
      'title: text',
      'category: dictionary/article_category',
      'cover?: media/image',
      'summary?: multiline',
      'content: html',
      'status?: enum',
    ]);
    expect(body[0]).toEqual({
      name: 'title',
      label: { zh_CN: '标题', en: 'Title' },
      type: 'text',
      required: true,
      nullable: false,
      minLength: 1,
      maxLength: 200,
    });
    expect(body.at(-1)?.options?.map(({ label }) => label.en)).toEqual(['Published', 'Not published']);
  });

  test('has actions for one article', () => {
    const facts = findPage(path).actions.map(({ name, takes, isVersioned, isDangerous }) => [
      name,
      takes,
      isVersioned,
      isDangerous,
    ]);

    expect(facts.sort()).toEqual([
      ['add', 'none', false, false],
      ['delete', 'id', false, true],
      ['detail', 'id', false, false],
      ['edit', 'id', true, false],
      ['revisions', 'id', false, false],
      ['status', 'id', false, false],
    ]);
  });
});

describe('the page of dictionary items', () => {
  const path = 'system/setting/dict/data';

  test('lists the items of one type by page', () => {
    expect(findPage(path).list.paging).toBe('page');
    expect(findPage(path).list.query.map(format)).toEqual([
      'type_key: text',
      'keyword?: text',
      'status?: enum',
    ]);
  });

  test.each([
    ['edit', true, false],
    ['delete', false, true],
    ['detail', false, false],
  ])('names an item by type and value to %s it', (name, isVersioned, isDangerous) => {
    const keys = ['type_key', 'value'];

    expect(findAction(path, name)).toMatchObject({ takes: 'id', keys, isVersioned, isDangerous });
  });

  test.each(['add', 'import'])('takes no item to %s', (name) => {
    expect(findAction(path, name)).toMatchObject({ takes: 'none', keys: [] });
  });

  test('has the fields of an imported item', () => {
    const items = findAction(path, 'import').body.find(({ name }) => name === 'items');

    expect(items).toMatchObject({ type: 'list', max: 5000, items: { type: 'object' } });
    expect(items?.items?.fields?.map(format)).toEqual([
      'value: text',
      'name: text',
      'sort?: integer',
      'status?: enum',
    ]);
  });
});

describe('the page of users', () => {
  test('lists users, and enables and disables one', () => {
    const { list } = findPage('user-center/user');

    expect(list.query.map(format)).toEqual([
      'search?: text',
      'mobile?: text',
      'created_from?: time',
      'created_before?: time',
    ]);
    expect(list.item.map(format)).toEqual([
      'id: id',
      'sn: text',
      'mobile: text|null',
      'nickname: text',
      'avatar: media/image',
      'status: enum',
      'created_at: time',
    ]);
    expect(findAction('user-center/user', 'status')).toMatchObject({
      takes: 'id',
      keys: ['id'],
      body: [{ name: 'id' }, { name: 'status', ...labels.status }],
    });
  });
});

describe('the page of files', () => {
  test.each([
    ['delete', true],
    ['move', false],
  ])('can %s several files', (name, isDangerous) => {
    expect(findAction('system/file', name)).toMatchObject({ takes: 'ids', keys: ['id'], isDangerous });
  });

  test('has sizes, kinds and categories', () => {
    const { item, query } = findPage('system/file').list;

    expect(item.find(({ name }) => name === 'size')?.type).toBe('bytes');
    expect(query[1]).toMatchObject({
      name: 'cid',
      label: { zh_CN: '分类', en: 'Category' },
      type: 'id',
      required: false,
      nullable: true,
      refersTo: 'system/file/category',
    });
  });
});

describe('the page of administrators', () => {
  test('has a secret field, and the roles as references', () => {
    const password = findAction('system/admin', 'add').body.find(({ name }) => name === 'password');
    const roles = findAction('system/admin', 'roles').body.find(({ name }) => name === 'role_ids');

    expect(password).toMatchObject({ type: 'secret', minLength: 8, maxLength: 128 });
    expect(roles).toMatchObject({ type: 'list', max: 10, refersTo: 'system/role', items: { type: 'id' } });
  });

  test('says which permissions are sensitive, and which routes need none', () => {
    expect(findAction('system/admin', 'add').permission).toEqual({
      path: 'system/admin/add',
      kind: 'write',
      sensitive: true,
    });
    expect(findAction('system/admin', 'info').permission).toBe('login');
    expect(described.routes['/adminapi/system/login/account']).toBe('open');
  });
});

describe('the description', () => {
  const listFields = (): Field[] => {
    const walk = (fields: readonly Field[]): Field[] =>
      fields.flatMap((field) => [
        field,
        ...walk([...(field.fields ?? []), ...(field.items ? [field.items] : [])]),
      ]);
    return described.pages.flatMap(({ list, actions }) =>
      walk([
        ...list.query,
        ...list.item,
        ...actions.flatMap(({ query, body, data }) => [...query, ...body, ...data]),
      ]),
    );
  };

  test('is the same every time, and JSON', () => {
    const text = JSON.stringify(described);

    expect(JSON.stringify(createConsoleDescription(manifest))).toBe(text);
    expect(JSON.parse(text)).toEqual(described);
  });

  test('names only dictionaries that a module declares', () => {
    const declared = manifest.modules.flatMap(({ manifest: { dictionaries = [] } }) =>
      dictionaries.map(({ type_key }) => type_key),
    );
    const used = new Set(listFields().flatMap(({ dictionary }) => dictionary ?? []));

    expect(used).toEqual(new Set(['article_category']));
    expect(declared).toEqual(expect.arrayContaining([...used]));
  });

  test('refers only to pages whose records have an ID, or a key of their own', () => {
    const used = new Set(listFields().flatMap(({ refersTo }) => refersTo ?? []));
    const pages = described.pages.filter(({ list, actions }) => {
      const key = actions.find(({ name }) => name === 'detail')?.keys[0] ?? 'id';
      return list.item.some(({ name }) => name === key);
    });

    expect(used).toEqual(
      new Set(['system/role', 'system/file', 'system/file/category', 'system/setting/dict/type']),
    );
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining([...used]));
  });

  test('has a label for each field in both locales', () => {
    const untitled = listFields().filter(({ name, label }) => name !== '' && label.zh_CN === name);

    expect(new Set(untitled.map(({ name }) => name))).toEqual(new Set(['list', 'next_cursor']));
  });
});
