import * as z from 'zod/mini';
import type { Item } from '#shared/db/items.ts';
import type { SmsScene } from '#shared/sms/sms-driver.ts';
import { findMobileClaim } from './find-user.ts';
import { mobile as mobileSchema } from './schema.ts';
import { findSmsCode } from './sms-codes.ts';

/** What says whose a mobile is, and the code that was sent to it, read while the gates still decide. */
export interface EarlyReads {
  mobile: string;
  claim: Item | undefined;
  code: Item | undefined;
}

/**
 * Reads ahead what a login or registration by mobile begins with.
 *
 * @param mobile as it came; nothing is read for what is none
 * @param codeScene scene of the code that comes with it; undefined where none does
 */
export async function readEarly(
  mobile: unknown,
  codeScene: SmsScene | undefined,
): Promise<EarlyReads | undefined> {
  const checked = z.safeParse(mobileSchema, mobile);
  if (!checked.success) return undefined;
  const [claim, code] = await Promise.all([
    findMobileClaim(checked.data),
    codeScene && findSmsCode({ mobile: checked.data, scene: codeScene }),
  ]);
  return { mobile: checked.data, claim, code };
}

/** The reads as searches that have ended; undefined each where they were of another mobile, or not begun. */
export function toSearches(reads: EarlyReads | undefined, mobile: string) {
  if (reads?.mobile !== mobile) return { claim: undefined, code: undefined };
  return { claim: Promise.resolve(reads.claim), code: Promise.resolve(reads.code) };
}
