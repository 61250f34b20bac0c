import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import type { Item } from '#shared/db/items.ts';
import { findMobileClaim, findUserByMobile } from './find-user.ts';
import { mobile as mobileSchema } from './schema.ts';
import { type CodePurpose, findSmsCode } from './sms-codes.ts';
import type { UserRecord } from './user-record.ts';

/** Reads for a mobile. They run beside the gates, before the body is validated; empty if its mobile is invalid. */
export interface PrefetchedUser {
  claim?: Promise<string | undefined>;
  user?: Promise<UserRecord | undefined>;
  code?: Promise<Item | undefined>;
}

async function prefetch(mobile: unknown, read: (mobile: string) => PrefetchedUser): Promise<PrefetchedUser> {
  const { data } = z.safeParse(mobileSchema, mobile);
  const reads = data === undefined ? {} : read(data);
  await settleAll(Object.values(reads));
  return reads;
}

export const prefetchUser = (mobile: unknown): Promise<PrefetchedUser> =>
  prefetch(mobile, (checked) => ({ user: findUserByMobile(checked) }));

/** For a login or registration by code. The check of the code writes, so it is not done here. */
export const prefetchCode = (mobile: unknown, scene: CodePurpose['scene']): Promise<PrefetchedUser> =>
  prefetch(mobile, (checked) => ({
    claim: findMobileClaim(checked),
    code: findSmsCode({ mobile: checked, scene }),
  }));
