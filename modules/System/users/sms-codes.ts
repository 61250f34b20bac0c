import { createHmac, randomInt } from 'node:crypto';
import { isEqual } from '#shared/crypto/equal.ts';
import { type DerivedKey, deriveKeys } from '#shared/crypto/keys.ts';
import { getItem, holds, type Item, type Key, singleKey, transact, type Write } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem, putItem, removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import systemErrors from '../errors.ts';

export interface CodePurpose {
  mobile: string;
  scene: 'login' | 'register' | 'bind_mobile';
}

const codeKey = ({ scene, mobile }: CodePurpose): Key => singleKey(`SMS_CODE#${scene}#${mobile}`);
const nowSeconds = () => Math.floor(Date.now() / 1000);
const codeDigits = 6;
export const codeLifetimeSeconds = 300;
const maxTries = 5;

/** Creates a random code. Only its HMAC is stored: a plain hash of six digits is easy to reverse. */
export function issueSmsCode(purpose: CodePurpose) {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
  const key = codeKey(purpose);
  const hash = hmac(purpose, code, deriveKeys('sms_code')[0]);
  const expires_at = nowSeconds() + codeLifetimeSeconds;
  const item: Item = { ...key, code_hash: hash, tries: 0, expires_at, [ttlAttribute]: expires_at };
  return {
    code,
    /** Stores the code; replaces the previous one. */
    write: putItem(item),
    /** Revokes this code; a newer one is kept. */
    revoke: () => holds(transact([removeItem(key, { expect: { code_hash: hash } })])),
  };
}

export const findSmsCode = (purpose: CodePurpose): Promise<Item | undefined> => getItem(codeKey(purpose));

/**
 * Checks a code. A try is counted before it is compared, so parallel tries cannot exceed the limit.
 * A code with `isSpent` was used before, and must not be accepted.
 * @throws AppError `auth.code_invalid` if the code is wrong, expired, void after too many tries, or was not sent
 */
export async function checkSmsCode(purpose: CodePurpose, code: string, finding = findSmsCode(purpose)) {
  const key = codeKey(purpose);
  const item = await finding;
  if (!item) throw systemErrors.create('auth.code_invalid');
  const hash = String(item.code_hash);
  await countTry(key, hash);
  const isCorrect = deriveKeys('sms_code').some((derived) => isEqual(hmac(purpose, code, derived), hash));
  if (!isCorrect) throw systemErrors.create('auth.code_invalid');
  const now = nowSeconds();
  /** Marks the code as used; the condition fails if it was used before. */
  const spend = changeItem(key, {
    set: { used_at: now },
    expect: { code_hash: hash, used_at: undefined },
    atLeast: { expires_at: now + 1 },
  });
  return { isSpent: item.used_at !== undefined, spend };
}

/** Marks a code as used, in a separate transaction. Idempotent. */
export async function spendCode({ spend }: { spend: Write }): Promise<void> {
  await holds(transact([spend]));
}

async function countTry(key: Key, hash: string): Promise<void> {
  const count = {
    add: { tries: 1 },
    expect: { code_hash: hash },
    atLeast: { expires_at: nowSeconds() + 1 },
    atMost: { tries: maxTries - 1 },
  };
  await transact([changeItem(key, count, (cause) => systemErrors.create('auth.code_invalid', { cause }))]);
}

function hmac({ mobile, scene }: CodePurpose, code: string, { secret }: DerivedKey): string {
  return createHmac('sha256', secret).update(`${scene}\n${mobile}\n${code}`).digest('base64url');
}

export const writtenKeys: ListWrittenKeys = () => ['SMS_CODE#*'];
