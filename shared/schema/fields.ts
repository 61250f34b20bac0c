import * as z from 'zod/mini';
import { titled } from './titled.ts';

// Fields that mean the same in every module. A bundle holds only those that it uses: every call is marked as pure.

const switchable = z.enum(['enabled', 'disabled']);

/** Whether a record is in use. */
export const status = titled(
  {
    zh_CN: '状态',
    en: 'Status',
    options: { enabled: { zh_CN: '启用', en: 'Enabled' }, disabled: { zh_CN: '停用', en: 'Disabled' } },
  },
  switchable,
);
export type Status = z.infer<typeof status>;

/** Counts from 1. An edit sends the version that it read. */
export const version = titled({ zh_CN: '版本', en: 'Version' }, z.int().check(z.gte(1)));

export const createdAt = titled({ zh_CN: '创建时间', en: 'Created' }, z.iso.datetime());

export const updatedAt = titled({ zh_CN: '更新时间', en: 'Updated' }, z.iso.datetime());
