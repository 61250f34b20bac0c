import { uploadPartitions } from '../../modules/System/files/uploads/upload-record.ts';
import { userCounterShards } from '../../modules/System/users/counters.ts';
import { spreadCount } from '../../shared/db/paging/spread-index.ts';

/** Keys that share their load. */
export interface Family {
  name: string;
  /** Part of the family's load that its busiest key carries. */
  busiestShare: number;
  /** Whether its keys contain the principal or record of the request. */
  isPersonal: boolean;
}

/** Keys that writers pick at random. */
const partitioned = [
  { pattern: /^((?:USER|FILE|FILE_TYPE#\w+)~)\d+$/, count: spreadCount },
  { pattern: /^(UPLOAD~)\d+$/, count: uploadPartitions },
  { pattern: /^(COUNTER#USERS(?:_MONTH#[\d-]+)?#)\d+$/, count: userCounterShards },
];

/** The variable parts of a key. */
const identities: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{id}'],
  [/[0-9A-HJKMNP-TV-Z]{26}/g, '{id}'],
  [/[A-Za-z0-9_-]{24,}/g, '{hash}'],
  [/\b1\d{10}\b/g, '{mobile}'],
  [/\b\d{9}\b/g, '{number}'],
];

/** The busiest of many, by the name of the family: a tenth of all readers read the newest article. */
const popular: Readonly<Record<string, number>> = { 'ARTICLE#{id}': 0.1 };
/** No user, file or address has more than this part of the requests of its kind. */
const personalShare = 0.0001;

/** The family of a key. A key that is not known to be one of many carries the whole load. */
export function toFamily(key: string): Family {
  for (const { pattern, count } of partitioned) {
    const [, prefix] = pattern.exec(key) ?? [];
    if (prefix) return { name: `${prefix}{1 of ${count}}`, busiestShare: 1 / count, isPersonal: false };
  }
  const name = identities.reduce((text, [pattern, word]) => text.replace(pattern, word), key);
  if (name === key) return { name, busiestShare: 1, isPersonal: false };
  return { name, busiestShare: popular[name] ?? personalShare, isPersonal: true };
}
