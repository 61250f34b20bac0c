import * as z from 'zod/mini';
import { partitionOf, queryRows } from '#shared/db/entity.ts';
import { holds, transact } from '#shared/db/items.ts';
import { type CursorPage, readByCursor } from '#shared/db/paging/cursor.ts';
import { removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { label } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { sessionConfig } from './principal.ts';
import { beganAt, nowSeconds, type Session, sessionEntity } from './session.ts';
import type { PrincipalKind } from './token.ts';

/** ID of a session. It is no token: a token is signed. */
export const sessionId = titled(
  { zh_CN: '编号', en: 'ID', type: 'id' },
  label(z.string().check(z.regex(/^[\w-]{1,64}$/))),
);

/** A session as answered. */
export const sessionData = z.strictObject({
  id: sessionId,
  device: titled({ zh_CN: '设备', en: 'Device' }, z.string()),
  address: titled({ zh_CN: 'IP 地址', en: 'IP address' }, z.string()),
  since: titled({ zh_CN: '登录时间', en: 'Since' }, z.iso.datetime()),
  last_seen_at: titled({ zh_CN: '最近使用', en: 'Last seen' }, z.iso.datetime()),
  current: titled({ zh_CN: '当前会话', en: 'This session' }, z.boolean()),
});
type SessionData = z.infer<typeof sessionData>;

interface Owner {
  kind: PrincipalKind;
  principalId: string;
  /** Sessions of a lower epoch are revoked. */
  epoch: number;
  /** The session that asks. */
  current?: string;
}

/** A page of the sessions of a principal that have not ended, the last to end first; within a page the newest first. */
export async function listSessions(
  { kind, principalId, epoch, current }: Owner,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<CursorPage<SessionData>> {
  const now = nowSeconds();
  const partition = partitionOf(sessionEntity.indexes.byPrincipal, { kind, principalId });
  const filter = {
    expression: 'epoch >= :epoch AND lastSeenAt >= :idle',
    values: { ':epoch': epoch, ':idle': now - sessionConfig[kind].idleSeconds },
  };
  const page = await readByCursor(cursor, `sessions ${kind} ${principalId}`, (start) =>
    queryRows(sessionEntity, { ...partition, from: String(now + 1), limit, start, filter }),
  );
  const list = page.list.toSorted((a, b) => beganAt(b) - beganAt(a));
  return { ...page, list: list.map((session) => describe(session, current)) };
}

function describe(session: Session, current: string | undefined): SessionData {
  const { id, device, address, lastSeenAt } = session;
  const quarter = lastSeenAt - (lastSeenAt % sessionConfig.touchSeconds);
  return {
    id,
    device,
    address,
    since: toTime(beganAt(session)),
    last_seen_at: toTime(Math.max(quarter, beganAt(session))),
    current: id === current,
  };
}

const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Ends a session of a principal at once. Idempotent; a session of another principal stays. */
export async function revokeSession(kind: PrincipalKind, principalId: string, id: string): Promise<void> {
  const removal = removeItem(sessionEntity.key({ id }), { expect: { kind, principalId } });
  await holds(transact([removal]));
}

export const writtenKeys: ListWrittenKeys = () => [
  { keys: sessionEntity.key({ id: '*' }).pk, actions: ['DeleteItem'] },
];
