import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import type { Item } from '#shared/db/items.ts';
import { findMobileClaim, findUserByMobile } from './find-user.ts';
import { mobile as mobileSchema } from './schema.ts';
import type { SmsScene } from './sms/sms-driver.ts';
import { findSmsCode } from './sms-codes.ts';
import type { UserRecord } from './user-record.ts';

/** What a login or registration by mobile begins with. */
interface Searches {
  /** What says whose the mobile is. */
  claim?: Promise<Item | undefined>;
  /** Whose it is. */
  user?: Promise<UserRecord | undefined>;
  /** The code that was sent to it. */
  code?: Promise<Item | undefined>;
}

/** Searches that have ended, made while the gates still decided. */
export interface EarlyReads extends Searches {
  mobile: string;
}

/**
 * Reads ahead.
 *
 * @param mobile as it came; nothing is read for what is none
 */
async function readEarly(
  mobile: unknown,
  begin: (mobile: string) => Searches,
): Promise<EarlyReads | undefined> {
  const checked = z.safeParse(mobileSchema, mobile);
  if (!checked.success) return undefined;
  const searches = begin(checked.data);
  await settleAll(Object.values(searches));
  return { mobile: checked.data, ...searches };
}

/** Reads ahead for a login by password. */
export const readUserEarly = (mobile: unknown): Promise<EarlyReads | undefined> =>
  readEarly(mobile, (checked) => ({ user: findUserByMobile(checked) }));

/** Reads ahead for what takes a code; the user is read beside the check of the code, which has to be written. */
export const readCodeEarly = (mobile: unknown, scene: SmsScene): Promise<EarlyReads | undefined> =>
  readEarly(mobile, (checked) => ({
    claim: findMobileClaim(checked),
    code: findSmsCode({ mobile: checked, scene }),
  }));

/** The reads, where they were of this mobile. */
export const readsOf = (reads: EarlyReads | undefined, mobile: string): Searches =>
  reads?.mobile === mobile ? reads : {};
