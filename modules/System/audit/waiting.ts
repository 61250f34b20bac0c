import { settleAll } from '#shared/async/settle-all.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { getItem, queryPage } from '#shared/db/items.ts';
import { firstIdOf } from '#shared/db/paging/creation-range.ts';
import { chainEndKey, readEnd } from './chain-end.ts';
import { monthOf } from './digest.ts';
import { loginActions } from './login-actions.ts';
import { dueMs } from './verify/verify-missing.ts';

const hourMs = 3_600_000;
/** Most entries that are looked at, so that the start page costs the same on a busy day. */
const mostRead = 250;

/**
 * The refused logins of administrators among the newest {@link mostRead} entries of the last 24 hours, repeated ones
 * included. One query, or two at once in the first day of a month.
 *
 * @param limit at which it stops to count
 */
export async function countRefusedLogins(limit: number, nowMs = Date.now()): Promise<number> {
  const sinceMs = nowMs - 24 * hourMs;
  const months = [...new Set([monthOf(nowMs), monthOf(sinceMs)])];
  const pages = await settleAll(
    months.map((month) =>
      queryPage({
        KeyConditionExpression: 'pk = :pk AND sk > :first',
        FilterExpression: `#action IN (${loginActions.map((_action, index) => `:login${index}`)}) AND outcome = :outcome`,
        ProjectionExpression: '#count',
        ExpressionAttributeNames: { '#action': 'action', '#count': 'count' },
        ExpressionAttributeValues: {
          ':pk': auditPartition(month),
          ':first': firstIdOf(sinceMs),
          ...Object.fromEntries(loginActions.map((action, index) => [`:login${index}`, action])),
          ':outcome': 'refused',
        },
        ScanIndexForward: false,
        Limit: mostRead,
      }),
    ),
  );
  const counts = pages.flatMap(({ items }) => items).map(({ count }) => Number(count ?? 1));
  return Math.min(
    counts.reduce((total, count) => total + count, 0),
    limit,
  );
}

/**
 * The hours since the last digest was due; 0 if it is not due, or before the first digest. It reads one item and does not
 * prove it: `audit:verify` does.
 */
export async function countDueDigests(nowMs = Date.now()): Promise<number> {
  const { pk: _pk, sk: _sk, ...stored } = (await getItem(chainEndKey)) ?? {};
  const read = readEnd(stored);
  if (read.state === 'changed') return 0;
  return Math.max(0, Math.floor((nowMs - Date.parse(read.end.to) - dueMs) / hourMs));
}
