import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { reservedKinds } from '#functions/checks/reserved-keys.ts';
import { findEntities } from '#functions/discover/entity-keys.ts';
import { createTempDir, projectRoot } from '../../../support/local-server.ts';
import { copyPlatform, moduleSource, routeSource, runProgram, writeProject } from '../fixtures.ts';
import { discoverHere } from '../openapi/fixture.ts';

const program = `
  const { discover } = await import('#functions/discover/discover.ts');
  const found = await discover(process.cwd()).catch((error) => error);
  console.log(JSON.stringify(found.problems ?? []));
`;
const withEntity = `
  import { defineEntity } from '#shared/db/entity.ts';
  defineEntity({
    row: z.object({ id: z.string() }),
    key: ({ id }) => ({ pk: 'SESSION#' + id, sk: id }),
    missing: () => new Error('missing'),
  });
  ${routeSource('admin.get')}`;

test('keys are compared in a project whose path has spaces, signs and a folder named modules', () => {
  const root = join(createTempDir(), 'modules', 'My (own) Project ü');
  copyPlatform(root);
  writeProject(root, {
    'modules/modules.json': '{ "Shop": { "enabled": true } }',
    'modules/Shop/module.ts': moduleSource('Shop'),
    'modules/Shop/Admin/order/list.ts': withEntity,
  });

  expect(JSON.parse(runProgram(root, program))).toEqual([
    'modules/Shop/Admin/order/list.ts: the key of an entity begins with "SESSION#", and that of shared/auth/session.ts with "SESSION#": begin it with the name of the module',
  ]);
});

/** Keys that are written in place: `singleKey('KIND…`, and `pk: 'KIND…` without an index. */
const keyPattern = /(?:singleKey\(|\bpk: |Partition = \([^)]*\): string => )[`']([A-Z][A-Z_]*)[#`']/g;

test('every key of the platform is that of an entity, or reserved', async () => {
  const { modules } = await discoverHere();
  const declared = findEntities(projectRoot, modules).flatMap(({ beginnings }) =>
    [...beginnings.values()].map(({ text }) => text.split('#')[0]),
  );
  const files = ['shared', 'cli', 'modules/System'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('templates'))
      .map((file) => join(projectRoot, folder, file)),
  );
  const written = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(keyPattern)].map(([, kind]) => kind),
  );

  expect(written.length).toBeGreaterThan(30);
  expect(written).toEqual(expect.arrayContaining(['AUDIT', 'COUNTER', 'SESSION']));
  expect(written.filter((kind) => !reservedKinds.includes(kind ?? '') && !declared.includes(kind))).toEqual(
    [],
  );
});
