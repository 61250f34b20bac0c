import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  countRights,
  filterNodes,
  findState,
  grantModule,
  grantReading,
  listRights,
  takeAll,
  toggleGrant,
} from '#modules/System/Console/roles/matrix.ts';
import type { PermissionNode } from '#modules/System/roles/permission-tree.ts';
import { isCovered, type Permission } from '#shared/auth/permission.ts';

const leaf = (path: string, kind: Permission['kind'], sensitive = false): PermissionNode => ({
  path,
  title: path,
  read: kind === 'read',
  write: kind === 'write',
  sensitive,
  children: [],
});
const folder = (path: string, children: PermissionNode[]): PermissionNode => ({
  path,
  title: path,
  read: children.some(({ read }) => read),
  write: children.some(({ write }) => write),
  sensitive: false,
  children,
});

const article = folder('shop/article', [
  leaf('shop/article/list', 'read'),
  leaf('shop/article/add', 'write'),
]);
const secrets = folder('shop/secret', [
  leaf('shop/secret/list', 'read', true),
  leaf('shop/secret/add', 'write', true),
]);
const shop = folder('shop', [article, secrets]);
const nodes = [shop, article, secrets, ...article.children, ...secrets.children];

describe('a cell of the matrix', () => {
  test.each<[string, Permission['kind'], string[], string]>([
    ['shop/article', 'read', [], 'none'],
    ['shop/article', 'read', ['shop/article:read'], 'own'],
    ['shop/article', 'read', ['shop/article:write'], 'inherited'],
    ['shop/article', 'write', ['shop/article:read'], 'none'],
    ['shop/article', 'read', ['shop:read'], 'inherited'],
    ['shop/secret', 'read', ['shop:read'], 'none'],
    ['shop', 'read', ['shop/article/list:read'], 'some'],
    ['shop/article/add', 'read', ['shop:write'], 'absent'],
  ])('of %s to %s with %j is %s', (path, kind, grants, state) => {
    const node = nodes.find((each) => each.path === path) ?? shop;

    expect(findState(node, kind, grants)).toBe(state);
  });
});

describe('a change of a grant', () => {
  test('replaces the grants below it that it covers', () => {
    expect(toggleGrant(shop, 'read', ['shop/article/list:read', 'shop/secret/list:read'])).toEqual([
      'shop/secret/list:read',
      'shop:read',
    ]);
  });

  test('keeps a right to write when reading is granted above it', () => {
    expect(toggleGrant(shop, 'read', ['shop/article:write'])).toEqual(['shop/article:write', 'shop:read']);
  });

  test('never takes a right when it grants, and takes only its own when it takes', () => {
    const grantOf = fc
      .tuple(fc.constantFrom(...nodes), fc.constantFrom<Permission['kind']>('read', 'write'))
      .filter(([node, kind]) => listRights(node, kind).length > 0);
    fc.assert(
      fc.property(fc.array(grantOf, { maxLength: 6 }), grantOf, (given, [node, kind]) => {
        const grants = [...new Set(given.map(([each, eachKind]) => `${each.path}:${eachKind}`))];
        const rights = [...listRights(shop, 'read'), ...listRights(shop, 'write')];
        const own = `${node.path}:${kind}`;
        const expected = grants.includes(own) ? grants.filter((grant) => grant !== own) : [...grants, own];

        const changed = toggleGrant(node, kind, grants);

        for (const right of rights) expect(isCovered(changed, right)).toBe(isCovered(expected, right));
      }),
    );
  });
});

test('counts the covered rights', () => {
  expect(countRights([shop], ['shop:write'])).toEqual({ covered: 2, all: 4 });
});

describe('many rights at once', () => {
  const blog = folder('blog', [leaf('blog/list', 'read'), leaf('blog/add', 'write')]);
  const modules = [shop, blog];
  const gone = 'gone/list:read';

  test('are reading all modules and nothing else, but for functions that do not exist now', () => {
    const granted = grantReading(modules, [gone, 'shop/article/add:write', 'blog:write']);

    expect(granted.sort()).toEqual(['blog:read', gone, 'shop:read']);
    expect(grantReading(modules, granted).sort()).toEqual(granted);
  });

  test('are all of a module, with the sensitive ones as they were', () => {
    const granted = grantModule(shop, [gone, 'shop/article/list:read', 'shop/secret/add:write']);

    expect(granted.sort()).toEqual([gone, 'shop/secret/add:write', 'shop:read', 'shop:write']);
    expect(findState(shop, 'write', granted)).toBe('own');
    expect(grantModule(shop, granted).sort()).toEqual(granted);
  });

  test('are all taken, but for functions that do not exist now', () => {
    expect(takeAll(modules, [gone, 'shop:read', 'blog/add:write'])).toEqual([gone]);
  });

  test('cover what they say for any grants before', () => {
    const grant = fc
      .tuple(fc.constantFrom(...nodes, blog, ...blog.children), fc.constantFrom('read', 'write'))
      .map(([node, kind]) => `${node.path}:${kind}`);
    fc.assert(
      fc.property(fc.uniqueArray(grant), (before) => {
        const after = grantModule(shop, before);
        for (const kind of ['read', 'write'] as const) {
          expect(listRights(shop, kind).every((right) => right.sensitive || isCovered(after, right))).toBe(
            true,
          );
          const lost = listRights(blog, kind).filter(
            (right) => isCovered(before, right) && !isCovered(after, right),
          );
          expect(lost).toEqual([]);
        }
        const reading = grantReading(modules, before);
        const writes = modules.flatMap((each) => listRights(each, 'write'));
        expect(writes.filter((right) => isCovered(reading, right))).toEqual([]);
      }),
    );
  });
});

describe('a search in the matrix', () => {
  test.each([
    ['ARTICLE/add', ['shop', 'shop/article', 'shop/article/add']],
    ['secret', ['shop', 'shop/secret', 'shop/secret/list', 'shop/secret/add']],
    ['nothing', []],
  ])('for %s keeps what is above and below', (keyword, paths) => {
    const list = (each: readonly PermissionNode[]): string[] =>
      each.flatMap(({ path, children }) => [path, ...list(children)]);

    expect(list(filterNodes([shop], keyword))).toEqual(paths);
  });
});
