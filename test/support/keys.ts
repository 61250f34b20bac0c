import type { Key } from '#shared/db/items.ts';

export type { Key };

// Repeated here, so that a test fails if the service changes its keys.

const single = (pk: string): Key => ({ pk, sk: pk });

/** Where each entity lies in the table. */
export const keys = {
  dictTypes: 'DICT_TYPE',
  dictType: (typeKey: string): Key => ({ pk: 'DICT_TYPE', sk: typeKey }),
  dictItems: (typeKey: string) => `DICT#${typeKey}`,
  dictItem: (typeKey: string, value: string): Key => ({ pk: `DICT#${typeKey}`, sk: value }),
  /** The lock of an import of a type. */
  dictImport: (typeKey: string) => single(`DICT_IMPORT#${typeKey}`),
  usages: (typeKey: string, value: string) => `USAGE#${typeKey}#${value}`,
  /** References of one module to a value; {@link usageTotal} is their sum. */
  usage: (typeKey: string, value: string, module: string): Key => ({
    pk: `USAGE#${typeKey}#${value}`,
    sk: module,
  }),
  usageTotal: (typeKey: string, value: string): Key => ({ pk: `USAGE#${typeKey}#${value}`, sk: '#total' }),
  admin: (id: string) => single(`ADMIN#${id}`),
  roles: 'ROLE',
  role: (id: string): Key => ({ pk: 'ROLE', sk: id }),
  user: (id: string) => single(`USER#${id}`),
  /** The latest login; apart from the user, so that a login writes no index and clears no cache. */
  userLogin: (id: string) => single(`USER_LOGIN#${id}`),
  adminAccount: (account: string) => single(`CLAIM#ADMIN_ACCOUNT#${account}`),
  configs: (group: string) => `CONFIG#${group}`,
  config: (group: string, key: string): Key => ({ pk: `CONFIG#${group}`, sk: key }),
  throttle: (id: string, startsAt: number) => single(`THROTTLE#${id}#${startsAt}`),
  singleUse: (kind: string, id: string) => single(`ONCE#${kind}#${id}`),
  session: (sessionId: string) => single(`SESSION#${sessionId}`),
  userMobile: (mobile: string) => single(`CLAIM#USER_MOBILE#${mobile}`),
  /** An open ID is unique within its WeChat account. */
  userOpenId: (app: string, openId: string) => single(`CLAIM#USER_OPEN_ID#${app}#${openId}`),
  userSn: (sn: string) => single(`CLAIM#USER_SN#${sn}`),
  smsCode: (scene: string, mobile: string) => single(`SMS_CODE#${scene}#${mobile}`),
  /** Codes sent to a mobile in a day. */
  smsDay: (day: string, mobile: string) => single(`SMS_DAY#${day}#${mobile}`),
  file: (id: string) => single(`FILE#${id}`),
  fileCategories: 'FILE_CATEGORY',
  fileCategory: (id: string): Key => ({ pk: 'FILE_CATEGORY', sk: id }),
  /** An upload that has begun; kept until the clean-up has cleaned up after it. */
  upload: (id: string) => single(`UPLOAD#${id}`),
  article: (id: string) => single(`ARTICLE#${id}`),
  /** The rich text of an article. It has an item of its own, so that lists do not read it. */
  articleContent: (id: string): Key => ({ pk: `ARTICLE#${id}`, sk: '#content' }),
  apiTokens: (adminId: string) => `API_TOKENS#${adminId}`,
  apiToken: (adminId: string, id: string): Key => ({ pk: `API_TOKENS#${adminId}`, sk: id }),
  /** The guard changes with every new token of an administrator. Its key sorts before theirs. */
  apiTokenGuard: (adminId: string): Key => ({ pk: `API_TOKENS#${adminId}`, sk: '#guard' }),
  /** The use of the assistant on a day. The next key is that of one administrator. */
  aiUsage: (day: string): Key => ({ pk: 'AI_USAGE', sk: day }),
  aiUsageOf: (day: string, adminId: string): Key => ({ pk: 'AI_USAGE', sk: `${day}#${adminId}` }),
  auditDigest: (month: string, to: string): Key => ({ pk: `AUDIT_DIGEST#${month}`, sk: to }),
  counter: (name: 'ADMIN_ENABLED' | 'ADMIN_SUPER' | 'ARTICLES', shard = '0'): Key => ({
    pk: `COUNTER#${name}`,
    sk: shard,
  }),
  /** Each shard is a partition of its own. */
  userCounter: (name: UserCounter, shard: number) => single(`COUNTER#${name}#${shard}`),
  /** Marks an index with more than one partition. */
  spreadIndex: (pk: string) => single(`SPREAD#${pk}`),
} as const;

/** `USERS`: users in total and by terminal; `USERS_MONTH#{month}`: users by the day of their creation. */
export type UserCounter = 'USERS' | `USERS_MONTH#${string}`;

/** Index partitions; each index `gsiN` has the keys `gsiNpk` and `gsiNsk`. */
export const indexes = {
  /** All administrators by creation. */
  adminsByCreation: { name: 'gsi1', pk: 'ADMIN' },
  /** All administrators by account. */
  adminsByAccount: { name: 'gsi2', pk: 'ADMIN_ACCOUNT' },
  /** Tokens of an administrator that are not revoked, by creation. */
  apiTokensByCreation: { name: 'gsi1', pk: (adminId: string) => `API_TOKENS#${adminId}` },
  /** All users by creation. */
  usersByCreation: { name: 'gsi1', pk: 'USER' },
  /** All files by creation. */
  filesByCreation: { name: 'gsi1', pk: 'FILE' },
  /** Files of a category by creation. */
  filesByCategory: { name: 'gsi2', pk: (cid: string) => `FILE_CATEGORY#${cid}` },
  /** Files of a type by creation. */
  filesByType: { name: 'gsi3', pk: (type: string) => `FILE_TYPE#${type}` },
  /** Uploads that have begun, by the moment from which they are cleaned up (ISO 8601); always spread. */
  uploadsByCleanUp: { name: 'gsi1', pk: 'UPLOAD' },
  /** All articles by creation. */
  articlesByCreation: { name: 'gsi1', pk: 'ARTICLE' },
  /** Articles of a status and category by creation. */
  articlesByCategory: {
    name: 'gsi2',
    pk: (status: string, category: string) => `ARTICLE#${status}#${category}`,
  },
  /** Articles of a status by creation. */
  articlesByStatus: { name: 'gsi3', pk: (status: string) => `ARTICLE#${status}` },
} as const;

/** The parts of an UpdateItem that set some attributes. */
export function setAttributes(attributes: Record<string, unknown>) {
  const entries = Object.entries(attributes);
  return {
    UpdateExpression: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
  };
}
