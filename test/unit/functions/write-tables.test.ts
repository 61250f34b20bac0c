import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { renderPages } from '#functions/write-tables.ts';
import { projectRoot } from '../../support/local-server.ts';
import { createProject, createRoute, foundModule, foundRoute } from './fixtures.ts';
import { discoverHere } from './openapi/fixture.ts';

test.each(['docs/errors.md', 'docs/api.md', 'permissions.txt'])(
  '%s equals the output of npm run records',
  async (file) => {
    const pages = renderPages(projectRoot, await discoverHere());

    expect(readFileSync(join(projectRoot, file), 'utf8')).toBe(pages[file]);
  },
);

describe('the tables of a project', () => {
  let project: ReturnType<typeof createProject> | undefined;
  afterEach(() => project?.remove());

  const throttle = {
    rules: [
      {
        by: [
          'address',
          { body: 'mobile', title: { zh_CN: '手机号', en: 'mobile number' } },
          { body: 'code' },
        ],
        limit: 5,
        windowSeconds: 90,
      },
    ],
    fallback: 'process',
  } as const;
  const shop = foundModule('Shop', {
    errors: { 'shop.closed': 409, 'shop.empty': 404 },
    throttles: { order: throttle },
  });
  const route = foundRoute({
    path: '/api/shop/order',
    route: createRoute('api', 'POST'),
    throttles: [{ name: 'order', throttle, file: shop.files.throttles }],
  });

  function render(errors: string) {
    project = createProject({
      'docs/errors.md': 'Before.\n\n| code | HTTP | when |\n| old |\n\nAfter.\n',
      'docs/api.md': '| name | limit | counted without the cache | routes |\n| old |\n',
      'shared/errors/catalogue.ts': readFileSync(join(projectRoot, 'shared/errors/catalogue.ts'), 'utf8'),
      'modules/Shop/errors.ts': errors,
    });
    return renderPages(project.root, { modules: [shop], routes: [route], tools: [] });
  }

  test('have the codes of modules, with the comments beside or above them', () => {
    const page = render(
      "  // it is late,\n  // or a holiday\n  'shop.closed': 409,\n  'shop.empty': 404, // nothing left\n",
    )['docs/errors.md'];

    expect(page).toContain(
      '| `shop.closed` | 409 | it is late, or a holiday |\n| `shop.empty` | 404 | nothing left |\n\nAfter.\n',
    );
    expect(page).not.toContain('| old |');
    expect(page?.startsWith('Before.\n\n| code | HTTP | when |\n| --- |')).toBe(true);
  });

  test('have the throttles of modules with their routes', () => {
    const page = render("  'shop.closed': 409, // late\n  'shop.empty': 404, // nothing left\n")[
      'docs/api.md'
    ];

    expect(page).toContain(
      '| `order` | 5 in 90 s by address and mobile number and code | process | `POST /api/shop/order` |\n',
    );
  });

  test('name a code without a comment', () => {
    expect(() => render("  'shop.closed': 409,\n  'shop.empty': 404, // nothing left\n")).toThrow(
      'modules/Shop/errors.ts: describe shop.closed in a comment',
    );
  });
});
