import { describe, expect, test } from '@jest/globals';
import { assertHolds } from '#modules/System/roles/rights.ts';
import type { Permission } from '#shared/auth/permission.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** Permissions of the enabled modules. */
const permissions: Permission[] = [
  { path: 'article/article/add', kind: 'write' },
  { path: 'system/role/add', kind: 'write', sensitive: true },
];

/** The rights that a caller lacks to give these grants. */
function findMissing(held: string[], given: string[], isSuper = false): string[] {
  try {
    assertHolds({ super: isSuper, grants: held }, { super: false, grants: given }, permissions);
    return [];
  } catch (error) {
    return error instanceof AppError ? (error.errors ?? []).map(({ path }) => path) : [String(error)];
  }
}

describe('a grant of a module that is disabled', () => {
  test('is given only by who holds it, because it counts again when the module is enabled', () => {
    const given = ['article:write', 'shop/order:write'];

    expect(findMissing(['article:write'], given)).toEqual(['shop/order:write']);
    expect(findMissing(['article:write', 'shop/order:read'], given)).toEqual(['shop/order:write']);
    expect(findMissing(['article:write', 'shop/orders:write'], given)).toEqual(['shop/order:write']);
    expect(findMissing(['article:write', 'shop/order:write'], given)).toEqual([]);
    expect(findMissing([], given, true)).toEqual([]);
  });

  test('is not given by who holds a shorter one, which may not cover what is sensitive', () => {
    expect(findMissing(['shop:write'], ['shop/order/refund:write'])).toEqual(['shop/order/refund:write']);
    // It will cover the sensitive routes of its folder, which `shop:write` does not.
    expect(findMissing(['shop:write'], ['shop/order:write'])).toEqual(['shop/order:write']);
  });

  test('is given by who holds it to write, if it is to read, and not the other way round', () => {
    expect(findMissing(['shop:write'], ['shop:read'])).toEqual([]);
    expect(findMissing(['shop:read'], ['shop:write'])).toEqual(['shop:write']);
  });
});

describe('a grant that covers nothing now', () => {
  test.each([
    ['because its routes write only', 'article/article/add:read'],
    ['because it is too short for the sensitive routes below it', 'system:write'],
  ])('is given only by who holds it: %s', (_why, grant) => {
    expect(findMissing(['article:write'], [grant])).toEqual([grant]);
    expect(findMissing([grant], [grant])).toEqual([]);
  });
});
