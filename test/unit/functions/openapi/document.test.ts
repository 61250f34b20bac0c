import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { listMethods, listPaths, type Manifest } from '#functions/model.ts';
import { createDocument } from '#functions/openapi/document.ts';
import { locales } from '#shared/i18n/locale.ts';
import { createTempDir, projectRoot } from '../../../support/local-server.ts';
import { createRoute, foundRoute } from '../fixtures.ts';
import { type Document, discoverHere, findFault, type Operation, render } from './fixture.ts';

let manifest: Manifest;
let document: Document;
beforeAll(async () => {
  manifest = await discoverHere();
  document = render(manifest);
});

const listOperations = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

/** All values of keywords `enum` in a document. */
function listEnums(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'enum' in value && Array.isArray(value.enum) ? [value.enum] : [];
  return [...own, ...Object.values(value).flatMap(listEnums)];
}

describe.each(locales)('the document in %s', (locale) => {
  test('is valid for an independent validator', () => {
    const file = join(createTempDir(), 'openapi.json');
    writeFileSync(file, JSON.stringify(render(manifest, locale)));

    const report = execFileSync(join(projectRoot, 'node_modules/.bin/validate-api'), [file]).toString();

    expect(JSON.parse(report)).toEqual({ valid: true });
  });

  test('is deterministic, byte for byte', async () => {
    const options = { locale, version: '1.2.3' };

    const again = JSON.stringify(createDocument(await discoverHere(), options));

    expect(again).toBe(JSON.stringify(createDocument(manifest, options)));
  });

  test('describes every operation, each with its own limits', () => {
    const { paths } = render(manifest, locale);
    const descriptions = listOperations({ ...document, paths }).map(({ description }) => description);

    for (const description of descriptions) expect(description).toMatch(/.[.。]$/);
    expect(paths['/api/system/login/sendCode']?.post?.description).toContain(
      { en: '1 a minute by mobile, 10 a day by mobile', zh_CN: '按手机号每分钟 1 次，按手机号每天 10 次' }[
        locale
      ],
    );
  });

  // Generators name the values of an enum: `1` and `'1'` get one name, an empty text gets none.
  test('has only enums with values of one type, none of them empty', () => {
    const isFit = (values: unknown[]) => new Set(values.map((value) => typeof value)).size === 1;

    const unfit = listEnums(render(manifest, locale)).filter((each) => !isFit(each) || each.includes(''));

    expect(unfit).toEqual([]);
  });

  test('has no HTML in its texts, which pages show as Markdown', () => {
    const texts = JSON.stringify(render(manifest, locale)).matchAll(/"(?:description|summary)":"([^"]*)"/g);

    expect([...texts].flatMap(([, text]) => text?.match(/<[a-z!/]/i)?.input ?? [])).toEqual([]);
  });

  test('has a failure of the 4xx kind for every operation', () => {
    const { paths } = render(manifest, locale);
    const without = listOperations({ ...document, paths }).filter(
      ({ responses }) => !Object.keys(responses).some((status) => status.startsWith('4')),
    );

    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('has summaries in that language, and in both as extensions', () => {
    const login = render(manifest, locale).paths['/adminapi/system/login/account']?.post;

    const both = { 'x-summary-zh_CN': '管理员登录', 'x-summary-en': 'Log an administrator in' };
    expect(login).toMatchObject({ ...both, summary: both[`x-summary-${locale}`] });
  });
});

describe('the document', () => {
  test.each([
    ['/adminapi/system/login/account', 'At most 16 KiB'],
    ['/adminapi/system/login/checkCaptcha', 'At most 64 KiB'],
    ['/adminapi/system/admin/add', 'At most 1 MiB'],
    ['/adminapi/system/ai/mcp/rpc', 'At most 256 KiB'],
    ['/mcp/service', 'At most 1 MiB'],
    ['/api/system/upload/file', undefined],
  ])('names the largest body of %s, and the failure above it', (path, limit) => {
    const { requestBody, responses } = document.paths[path]?.post ?? {};

    expect(requestBody?.description).toBe(limit);
    expect(responses).toHaveProperty('413');
  });

  test('has exactly the routes with their methods', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );

    const declared = manifest.routes.flatMap((route) =>
      listPaths(route).flatMap((path) =>
        listMethods(route).map((method) => `${method} ${path.replace('+}', '}')}`),
      ),
    );
    expect(found.sort()).toEqual(declared.sort());
    expect(found).toContain('HEAD /storage/{path}');
  });

  test('names the file of a route that it cannot describe', () => {
    const route = createRoute('admin', 'GET', { query: z.object({ at: z.date() }) });
    const routes = [foundRoute({ route, file: 'modules/System/Admin/odd.ts' })];

    expect(() => render({ modules: manifest.modules, routes })).toThrow(
      /^modules\/System\/Admin\/odd\.ts: the API reference cannot describe it: ./,
    );
  });

  test('has no route of a module that is not enabled, nor its components', () => {
    const without = render({
      modules: manifest.modules.filter(({ prefix }) => prefix !== 'article'),
      routes: manifest.routes.filter(({ module }) => module !== 'Article'),
    });

    const text = JSON.stringify(without);
    expect(text).not.toContain('/article/');
    expect(text).not.toContain('Article/');
    expect(without.components.schemas).not.toHaveProperty('Article');
    expect(without.components.examples).not.toHaveProperty(['article.not_found.en']);
    expect(document.components.schemas).toHaveProperty('Article');
  });

  test('has unique operation IDs, from the functions', () => {
    const ids = listOperations(document).map(({ operationId }) => operationId);

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('system-admin-login-account');
  });

  test('groups operations by module and area, each group described', () => {
    const used = new Set(listOperations(document).flatMap(({ tags }) => tags));

    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    expect(document.tags).toContainEqual({
      name: 'System/Admin',
      description: 'System · for administrators',
    });
  });

  test('has no broken references and no unused components', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/(\w+)\/([^"/]+)/g)].map(String));
    const held = Object.entries(document.components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `"#/components/${kind}/${name},${kind},${name}`),
    );

    const spare = held.filter((each) => !referred.has(each) && !each.includes('securitySchemes'));
    expect([...referred].filter((each) => !held.includes(each))).toEqual([]);
    expect(spare).toEqual([]);
  });

  test('names the login of each route', () => {
    const security = (path: string, method: string) => document.paths[path]?.[method]?.security;

    expect(security('/adminapi/system/admin/info', 'get')).toEqual([{ adminToken: [] }]);
    expect(security('/api/system/user/info', 'get')).toEqual([{ userToken: [] }]);
    expect(security('/api/system/upload/file', 'post')).toEqual([{}, { userToken: [] }]);
    expect(security('/mcp/service', 'post')).toEqual([{ adminToken: [] }, { apiToken: [] }]);
    expect(security('/health', 'get')).toEqual([]);
  });

  test('has messages without gaps in its samples', () => {
    const samples = Object.values(document.components.examples ?? {});

    expect(samples.length).toBeGreaterThan(20);
    for (const { value } of samples) expect(Object(value).message).toMatch(/^[^{}]+$/);
  });

  test('has a contact and a licence', () => {
    expect(createDocument(manifest, { locale: 'en', version: '1' }).info).toMatchObject({
      contact: { name: 'The operator of this site' },
      license: { identifier: 'MIT' },
    });
  });

  test('says that mini-programs and apps need the complete base URL', () => {
    expect(document.servers[0]?.description).toContain('complete base URL');
  });
});

describe('samples', () => {
  test('fit their schemas', () => {
    const faults = listOperations(document).flatMap(({ operationId, requestBody, responses }) => {
      const bodies = Object.values(Object(responses['200']).content ?? {}) as {
        schema: object;
        example?: unknown;
      }[];
      const shown = [...Object.values(requestBody?.content ?? {}), ...bodies];
      return shown
        .filter(({ example }) => example !== undefined)
        .map(({ schema, example }) => [operationId, findFault(document, { ...schema }, example)])
        .filter(([, fault]) => fault !== null);
    });

    expect(faults).toEqual([]);
  });
});
