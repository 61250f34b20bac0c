import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { listStaticFiles } from '../../bench/bundle-size.ts';
import { bundleFunction } from '../support/bundle-function.ts';
import { projectRoot } from '../support/local-server.ts';
import { discoverShipped } from '../support/shipped-modules.ts';

const list = /node_modules\/@zxcvbn-ts\//;

/** Whether a function holds the list of common passwords, and whether it loads with the function. */
async function findList(name: string): Promise<{ isHeld: boolean; isLoaded: boolean }> {
  const metafile = await bundleFunction(projectRoot, name);
  const holds = (file: string) =>
    Object.entries(metafile.outputs[file]?.inputs ?? {}).some(
      ([source, { bytesInOutput }]) => list.test(source) && bytesInOutput > 0,
    );
  return {
    isHeld: Object.keys(metafile.outputs).some(holds),
    isLoaded: listStaticFiles(metafile).some(holds),
  };
}

/** Whether a body takes a new password: a login takes one of any length. */
const takesNewPassword = (body: z.core.$ZodType | undefined): boolean =>
  body instanceof z.ZodMiniObject && 'password' in body.shape && !isFit(body.shape.password, 'x');
const isFit = (schema: unknown, value: unknown) =>
  schema instanceof z.ZodMiniType && schema.safeParse(value).success;

test('every function that sets passwords loads the list of common ones on first use', async () => {
  const { routes } = await discoverShipped();
  const names = routes.filter(({ route }) => takesNewPassword(route.body)).map((found) => found.functionName);
  const found = [];
  for (const name of names) found.push({ name, ...(await findList(name)) });

  expect(found).toEqual(names.map((name) => ({ name, isHeld: true, isLoaded: false })));
  expect(names).toContain('system-api-login-register');
});

test.each([
  'system-admin-login-account',
  'system-api-login-account',
  'system-admin-admin-edit',
  'system-admin-admin-roles',
  'system-admin-admin-token-add',
  'user-center-api-mobile-bind',
])('%s sets none, and does not hold the list', async (name) => {
  expect(await findList(name)).toEqual({ isHeld: false, isLoaded: false });
});
