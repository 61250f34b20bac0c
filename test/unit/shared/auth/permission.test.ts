import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assertPermitted, isCovered, isPermitted, type Permission } from '#shared/auth/permission.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { isCoveredByModel } from '../../../support/permission-model.ts';

const segment = fc.constantFrom('system', 'setting', 'dict', 'dic', 'add');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
const kind = fc.constantFrom('read' as const, 'write' as const);
const grant = fc.tuple(path, kind).map(([prefix, right]) => `${prefix}:${right}`);
const permission: fc.Arbitrary<Permission> = fc.record({
  path,
  kind,
  sensitive: fc.option(fc.boolean(), { nil: undefined }),
  formerly: fc.option(fc.array(path, { maxLength: 2 }), { nil: undefined }),
});

describe('the grants of a token', () => {
  test('only take rights away, for any rights and permissions', () => {
    const grants = fc.array(grant, { maxLength: 5 });
    fc.assert(
      fc.property(fc.boolean(), grants, grants, permission, (isSuper, held, tokenGrants, wanted) => {
        const rights = { super: isSuper, grants: held };
        const isExpected = isPermitted(rights, wanted) && isCoveredByModel(tokenGrants, wanted);
        expect(isPermitted({ ...rights, tokenGrants }, wanted)).toBe(isExpected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a grant', () => {
  test('covers what the rule says, for any grants and permissions', () => {
    fc.assert(
      fc.property(fc.array(grant, { maxLength: 5 }), permission, (grants, wanted) => {
        expect(isCovered(grants, wanted)).toBe(isCoveredByModel(grants, wanted));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['system/setting:write', { path: 'system/setting/dict/add', kind: 'write' }, true],
    ['system/setting:write', { path: 'system/setting/dict/list', kind: 'read' }, true],
    ['system/setting:read', { path: 'system/setting/dict/add', kind: 'write' }, false],
    ['system/set:write', { path: 'system/setting/dict/add', kind: 'write' }, false],
    ['system/setting:write', { path: 'system/setting/config/save', kind: 'write', sensitive: true }, false],
    [
      'system/setting/config:write',
      { path: 'system/setting/config/save', kind: 'write', sensitive: true },
      true,
    ],
    [
      'system/setting/config/save:write',
      { path: 'system/setting/config/save', kind: 'write', sensitive: true },
      true,
    ],
    [
      'system/old/save:write',
      { path: 'system/new/save', kind: 'write', formerly: ['system/old/save'] },
      true,
    ],
    ['*:write', { path: 'system/a', kind: 'read' }, false],
    [':write', { path: 'system/a', kind: 'read' }, false],
    ['', { path: 'system/a', kind: 'read' }, false],
  ] as [string, Permission, boolean][])('%s covers %j: %s', (grant, wanted, isAllowed) => {
    expect(isCovered([grant], wanted)).toBe(isAllowed);
  });
});

describe('a caller', () => {
  const wanted: Permission = { path: 'system/admin/add', kind: 'write', sensitive: true };

  test('without grants may do nothing, and everything as a super administrator', () => {
    expect(isPermitted({ super: false, grants: [] }, wanted)).toBe(false);
    expect(isPermitted({ super: true, grants: [] }, wanted)).toBe(true);
  });

  test('learns which permission is missing', () => {
    const refused = { status: 403, code: 'auth.permission_denied' };

    const ask = () => assertPermitted({ super: false, grants: ['system:write'] }, wanted);

    expect(ask).toThrow(AppError);
    expect(ask).toThrow(expect.objectContaining(refused));
    expect(ask).toThrow(
      expect.objectContaining({
        errors: [{ path: 'system/admin/add:write', message: 'rule.permission_missing' }],
      }),
    );
  });
});
