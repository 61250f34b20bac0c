import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import type { Item } from '#shared/db/items.ts';
import { findMobileClaim, findUserByMobile } from './find-user.ts';
import { mobile as mobileSchema } from './schema.ts';
import type { SmsScene } from './sms/driver.ts';
import { findSmsCode } from './sms-codes.ts';
import type { UserRecord } from './user-record.ts';

interface Reads {
  claim?: Promise<string | undefined>;
  user?: Promise<UserRecord | undefined>;
  code?: Promise<Item | undefined>;
}

/** Reads for a mobile. They run beside the gates, before the body is validated. */
export interface PrefetchedUser extends Reads {
  mobile: string;
}

/** @param mobile as sent; an invalid one is not read */
async function prefetch(
  mobile: unknown,
  read: (mobile: string) => Reads,
): Promise<PrefetchedUser | undefined> {
  const checked = z.safeParse(mobileSchema, mobile);
  if (!checked.success) return undefined;
  const reads = read(checked.data);
  await settleAll(Object.values(reads));
  return { mobile: checked.data, ...reads };
}

export const prefetchUser = (mobile: unknown): Promise<PrefetchedUser | undefined> =>
  prefetch(mobile, (checked) => ({ user: findUserByMobile(checked) }));

/** For a login or registration by code. The check of the code writes, so it is not done here. */
export const prefetchCode = (mobile: unknown, scene: SmsScene): Promise<PrefetchedUser | undefined> =>
  prefetch(mobile, (checked) => ({
    claim: findMobileClaim(checked),
    code: findSmsCode({ mobile: checked, scene }),
  }));

/** The prefetched reads if they match the mobile. */
export const readsOf = (prefetched: PrefetchedUser | undefined, mobile: string): Reads =>
  prefetched?.mobile === mobile ? prefetched : {};
