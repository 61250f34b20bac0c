import '../../../support/environment.ts';
import { randomBytes } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '#shared/db/paging/cursor.ts';
import { anyString } from '../../../support/any-string.ts';

const place = { pk: 'ADMIN#1', sk: 'ADMIN#1', gsi1pk: 'ADMIN', gsi1sk: '01J' };
const refusal = expect.objectContaining({
  code: 'request.invalid',
  status: 422,
  errors: [{ path: 'query.cursor', message: 'rule.cursor' }],
});

function encode(scope = 'admins', last: Record<string, unknown> = place): string {
  return encodeCursor(last, scope) ?? '';
}

/** Loads the module in a process with these keys. */
async function loadWith(appKey: string): Promise<typeof import('#shared/db/paging/cursor.ts')> {
  process.env.APP_KEY = appKey;
  jest.resetModules();
  return import('#shared/db/paging/cursor.ts');
}

describe('encodeCursor', () => {
  test('returns null at the end of a list', () => {
    expect(encodeCursor(undefined, 'admins')).toBeNull();
  });

  test('hides the position, and differs each time', () => {
    const [first, second] = [encode(), encode()];

    expect(first).toMatch(/^[\w-]+$/);
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('ADMIN');
    expect(first).not.toBe(second);
  });
});

describe('decodeCursor', () => {
  test('begins at the first page without a cursor', () => {
    expect(decodeCursor(undefined, 'admins')).toBeUndefined();
  });

  test('reads a cursor of the same list and filters', () => {
    const keys = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }), {
      noNullPrototype: true,
    });

    fc.assert(
      fc.property(keys, fc.string({ unit: 'grapheme' }), (last, scope) => {
        const opened = decodeCursor(encode(scope, last), scope);

        expect(opened).toEqual(JSON.parse(JSON.stringify(last)));
      }),
    );
  });

  test('refuses the cursor of another list or of other filters', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (scope, other) => {
        fc.pre(scope !== other);

        expect(() => decodeCursor(encode(scope), other)).toThrow(refusal);
      }),
    );
  });

  test('refuses any change of a byte', () => {
    const sealed = Buffer.from(encode(), 'base64url');

    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(sealed.readUInt8(at) ^ 1, at);

      expect(() => decodeCursor(changed.toString('base64url'), 'admins')).toThrow(refusal);
    }
  });

  test('refuses every prefix of a cursor', () => {
    const cursor = encode();

    for (let length = 0; length < cursor.length - 1; length += 1) {
      expect(() => decodeCursor(cursor.slice(0, length), 'admins')).toThrow(refusal);
    }
  });

  test('never throws anything but a refusal', () => {
    fc.assert(
      fc.property(anyString({ maxLength: 300 }), (text) => {
        expect(() => decodeCursor(text, 'admins')).toThrow(refusal);
      }),
    );
  });
});

describe('a change of keys', () => {
  const [oldKey, newKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];

  test('accepts cursors of an older key while it is listed', async () => {
    const cursor = (await loadWith(oldKey)).encodeCursor(place, 'admins') ?? '';

    const during = await loadWith(`${newKey},${oldKey}`);

    expect(during.decodeCursor(cursor, 'admins')).toEqual(place);
  });

  test('refuses cursors of a key that is not listed', async () => {
    const cursor = (await loadWith(oldKey)).encodeCursor(place, 'admins') ?? '';

    const after = await loadWith(newKey);

    expect(() => after.decodeCursor(cursor, 'admins')).toThrow(refusal);
  });
});
