import { randomBytes } from 'node:crypto';
import { toItem } from '#shared/db/entity.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { putItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { LoginOrigin } from './origin.ts';
import { sessionConfig } from './principal.ts';
import { nowSeconds, type Session, sessionEntity } from './session.ts';
import { type PrincipalKind, signToken } from './token.ts';

interface SessionFacts extends Partial<LoginOrigin> {
  /** Whether the login was made with a second factor. @default false */
  hasFactor?: boolean;
  /** Its end, in Unix seconds, if that is earlier than for others of its kind. */
  endsAt?: number | undefined;
}

/** Prepares a session; it begins when `write` is done. */
export function prepareSession(
  kind: PrincipalKind,
  principalId: string,
  epoch: number,
  { device = '', address = '', hasFactor = false, endsAt }: SessionFacts = {},
) {
  const id = randomBytes(18).toString('base64url');
  const lastSeenAt = nowSeconds();
  const latest = lastSeenAt + sessionConfig[kind].absoluteSeconds;
  const expiresAt = Math.min(endsAt ?? latest, latest);
  const session: Session = {
    id,
    kind,
    principalId,
    epoch,
    expiresAt,
    lastSeenAt,
    factorAt: hasFactor ? lastSeenAt : 0,
    device,
    address,
    ...(expiresAt < latest && { beganAt: lastSeenAt }),
  };
  return {
    write: putItem({ ...toItem(sessionEntity, session), [ttlAttribute]: expiresAt }),
    token: signToken({ sessionId: id, kind, principalId, expiresAt }),
    expiresAt: new Date(expiresAt * 1000).toISOString(),
  };
}

export const writtenKeys: ListWrittenKeys = () => [
  { keys: sessionEntity.key({ id: '*' }).pk, actions: ['PutItem'] },
];
