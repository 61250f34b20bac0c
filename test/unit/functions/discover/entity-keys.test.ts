import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findReservedKinds, readReservedKinds } from '#functions/checks/reserved-keys.ts';
import { createTempDir, projectRoot } from '../../../support/local-server.ts';
import { copyPlatform, moduleSource, routeSource, runProgram, writeProject } from '../fixtures.ts';

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

test('the keys that the platform writes in place are reserved', () => {
  const kinds = findReservedKinds(projectRoot);

  expect(kinds).toEqual(expect.arrayContaining(['AUDIT', 'COUNTER', 'DICT_IMPORT', 'SCHEMA', 'SESSION']));
  expect(readReservedKinds()).toEqual(kinds);
});
