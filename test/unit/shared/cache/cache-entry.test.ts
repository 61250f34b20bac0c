import '../../../support/environment.ts';
import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { signedFormat } from '#shared/cache/cache-entry.ts';
import { environment } from '#shared/config/environment.ts';

const key = 'service:principal:admin:01';
const entry = { generation: 'g', value: { name: '管理员', grants: ['article:read'] } };
const encode = (entryKey = key) => signedFormat.encode(entryKey, entry, 60);

describe('a signed entry', () => {
  it('is read under its key, and is JSON', () => {
    const cell = encode();

    expect(signedFormat.decode(key, cell)).toMatchObject(entry);
    expect(JSON.parse(cell)).toMatchObject(entry);
  });

  it('is not read under another key', () => {
    expect(signedFormat.decode('service:principal:admin:02', encode())).toBeUndefined();
  });

  it('is not read if any character of it was changed', () => {
    const cell = encode();
    const change = fc.tuple(fc.nat(cell.length - 1), fc.string({ minLength: 1, maxLength: 3 }));

    fc.assert(
      fc.property(change, ([at, text]) => {
        const changed = cell.slice(0, at) + text + cell.slice(at + text.length);
        if (changed !== cell) expect(signedFormat.decode(key, changed)).toBeUndefined();
      }),
    );
  });

  it.each([
    ['without a MAC', JSON.stringify({ ...entry, until: Date.now() + 60_000 })],
    ['with an empty MAC', JSON.stringify({ ...entry, until: Date.now() + 60_000, mac: '' })],
    ['of another program', '1'],
    ['of no characters', ''],
  ])('%s is not read', (_name, cell) => {
    expect(signedFormat.decode(key, cell)).toBeUndefined();
  });

  it('is read for its time only, also if it is written again', () => {
    const cell = encode();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now');

    clock.mockReturnValue(now + 59_000);
    expect(signedFormat.decode(key, cell)).toBeDefined();
    clock.mockReturnValue(now + 61_000);
    expect(signedFormat.decode(key, cell)).toBeUndefined();
    clock.mockRestore();
  });

  it('of an older key is read while APP_KEY has that key', () => {
    const cell = encode();
    const { appKeys } = environment();
    const [old = ''] = appKeys;
    const mutable = environment() as { appKeys: readonly string[] };

    mutable.appKeys = ['another key of at least 32 characters', old];
    expect(signedFormat.decode(key, cell)).toMatchObject(entry);
    mutable.appKeys = ['another key of at least 32 characters'];
    expect(signedFormat.decode(key, cell)).toBeUndefined();
    mutable.appKeys = appKeys;
  });
});
