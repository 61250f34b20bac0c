import crypto from 'node:crypto';
import { expect, jest } from '@jest/globals';

/** The cost of each password hash that a refused login computes, in this process. */
export async function hashingsOf(login: () => Promise<unknown>): Promise<unknown[]> {
  const spy = jest.spyOn(crypto, 'scrypt');
  try {
    await expect(login()).rejects.toMatchObject({ code: 'auth.credentials_invalid' });
    return spy.mock.calls.map(([, , sizeBytes, cost]) => ({ sizeBytes, cost }));
  } finally {
    spy.mockRestore();
  }
}
