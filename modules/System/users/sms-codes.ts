import { createHmac, randomInt } from 'node:crypto';
import { isEqual } from '#shared/crypto/equal.ts';
import { type DerivedKey, deriveKeys } from '#shared/crypto/keys.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { getItem, type Item, transact, type Write } from '#shared/db/items.ts';
import { type Key, keys } from '#shared/db/keys.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { smsConfig } from './sms/config.ts';
import type { SmsScene } from './sms/sms-driver.ts';

/** What a code is for. */
export interface CodePurpose {
  mobile: string;
  scene: SmsScene;
}

/** A code that is about to be sent. */
export interface IssuedCode {
  code: string;
  /** Stores it in place of the one before. */
  write: Write;
  /** Takes it back; one that has come after it stays. */
  revoke(): Promise<void>;
}

/** A code that is right. */
export interface CheckedCode {
  /** Whether it was used before; it proves the mobile still, and opens nothing. */
  isSpent: boolean;
  /** Uses it up; the condition fails for all but the first who do. */
  spend: Write;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
const { codeDigits, lifetimeSeconds, wrongTries } = smsConfig;

/** Draws a code. Only its HMAC is stored: six digits would be guessed from a plain hash. */
export function issueSmsCode(purpose: CodePurpose): IssuedCode {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
  const key = keys.smsCode(purpose.scene, purpose.mobile);
  const hash = hmac(purpose, code, deriveKeys('sms_code')[0]);
  const expires_at = nowSeconds() + lifetimeSeconds;
  const item: Item = { ...key, code_hash: hash, tries: 0, expires_at, [ttlAttribute]: expires_at };
  return {
    code,
    write: { Put: { Item: item } },
    async revoke() {
      const isMine = {
        ConditionExpression: 'code_hash = :hash',
        ExpressionAttributeValues: { ':hash': hash },
      };
      await transact([{ Delete: { Key: { ...key }, ...isMine } }]).catch(passCondition);
    },
  };
}

/** The code that was sent last, as it lies in the table. */
export const findSmsCode = ({ scene, mobile }: CodePurpose): Promise<Item | undefined> =>
  getItem(keys.smsCode(scene, mobile));

/**
 * Tells whether a code is right. Every try is counted before it is answered, so that no number of tries at
 * once is worth more than the few in a row.
 *
 * @param finding the search for it where it has begun already
 * @throws AppError `auth.code_invalid` for one that is wrong, too old, void after too many wrong ones, or
 *   was never sent
 */
export async function checkSmsCode(
  purpose: CodePurpose,
  code: string,
  finding = findSmsCode(purpose),
): Promise<CheckedCode> {
  const key = keys.smsCode(purpose.scene, purpose.mobile);
  const item = await finding;
  if (!item) throw new AppError('auth.code_invalid');
  const hash = String(item.code_hash);
  await countTry(key, hash);
  const isRight = deriveKeys('sms_code').some((derived) => isEqual(hmac(purpose, code, derived), hash));
  if (!isRight) throw new AppError('auth.code_invalid');
  const spend: Write = {
    Update: {
      Key: { ...key },
      UpdateExpression: 'SET used_at = :now',
      ConditionExpression: 'code_hash = :hash AND attribute_not_exists(used_at) AND expires_at > :now',
      ExpressionAttributeValues: { ':now': nowSeconds(), ':hash': hash },
    },
  };
  return { isSpent: item.used_at !== undefined, spend };
}

/** Uses a code up where nothing else is written; well too when somebody else was first. */
export async function spendCode({ spend }: CheckedCode): Promise<void> {
  await transact([spend]).catch(passCondition);
}

async function countTry(key: Key, hash: string): Promise<void> {
  const count: Write = {
    Update: {
      Key: { ...key },
      UpdateExpression: 'ADD tries :one',
      ConditionExpression: 'code_hash = :hash AND expires_at > :now AND tries < :limit',
      ExpressionAttributeValues: { ':one': 1, ':hash': hash, ':now': nowSeconds(), ':limit': wrongTries },
    },
  };
  try {
    await transact([count]);
  } catch (cause) {
    throw cause instanceof ConditionError ? new AppError('auth.code_invalid', { cause }) : cause;
  }
}

function hmac({ mobile, scene }: CodePurpose, code: string, { secret }: DerivedKey): string {
  return createHmac('sha256', secret).update(`${scene}\n${mobile}\n${code}`).digest('base64url');
}

function passCondition(error: unknown): void {
  if (!(error instanceof ConditionError)) throw error;
}
