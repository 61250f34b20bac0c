import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { environment } from '#shared/config/environment.ts';
import { getItems } from '#shared/db/items.ts';
import type { Mirror } from '#shared/db/mirrors.ts';
import { configKey } from './group.ts';

/**
 * Static configuration of the site gate (specification, "Site status setting"). The gate reads two settings of a group;
 * the module that declares the group takes their names from here.
 */
export const siteStatusConfig = {
  /** Answered while the site is closed, unless the setting has a message. */
  closedMessage: '系统当前已关闭，请稍后再试',
  cacheKey: 'service:site-status',
  /** In seconds. */
  cacheTtl: 60,
  group: 'basics',
  key: 'sys_status',
  messageKey: 'closed_message',
} as const;

export interface SiteStatus {
  isClosed: boolean;
  /** Shown to users while the site is closed. */
  message: string;
}

const { cacheKey, cacheTtl, group, key, messageKey, closedMessage } = siteStatusConfig;
/** Values that close the site, compared exactly. */
const closedValues = ['0', 'false', 'off'];
const id = 'site';

const statuses = new VersionedCache<SiteStatus>({
  entryKey: () => cacheKey,
  generationKey: () => `${cacheKey}:generation`,
  ttlSeconds: cacheTtl,
  load: async () => new Map([[id, await loadSiteStatus()]]),
});

async function loadSiteStatus(): Promise<SiteStatus> {
  const items = await getItems([configKey(group, key), configKey(group, messageKey)]);
  const values = new Map(items.map((item) => [item.sk, item.value]));
  return {
    isClosed: closedValues.includes(String(values.get(key) ?? '')),
    message: String(values.get(messageKey) || closedMessage),
  };
}

/** The status, from the cache. @throws AppError `database.*` if both stores are away */
export const readSiteStatus = (): Promise<SiteStatus> => statuses.getOne(id);

export const siteStatusMirror: Mirror = {
  toId: ({ pk }) => (pk === configKey(group, '').pk ? id : undefined),
  cache: statuses,
  clearsOnPut: true,
};

let hasLock = false;

/** Whether the install lock exists; a lock that was found is remembered. */
export function isInstalled(): boolean {
  const { dataDir } = environment();
  hasLock ||= dataDir !== undefined && existsSync(join(dataDir, 'install.lock'));
  return hasLock;
}
