import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { recordPart } from '#shared/audit/recording.ts';
import { prepareSession } from '#shared/auth/new-session.ts';
import type { LoginOrigin } from '#shared/auth/origin.ts';
import { toRow } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { type Change, changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { label } from '#shared/schema/marks.ts';
import { type Admin, type AdminRecord, admins } from './admin-record.ts';

/** Most devices of an administrator that are remembered. */
const mostDevices = 20;
/** What the audit log keeps of the session. */
const sessionPart = z.object({ device: label(z.string()), new_device: z.boolean() });

export interface AdminLogin {
  token: string;
  expires_at: string;
  admin: Admin;
}

interface SessionStart {
  /** Stored with the login. */
  origin: LoginOrigin;
  /** Further changes of the administrator; the record must not have changed since it was checked. */
  change: Change;
  /** Writes of the same transaction. */
  more?: readonly Write[];
  /** Whether the second factor was given. @default false */
  hasFactor?: boolean;
  /** An earlier end than usual, in Unix seconds. */
  endsAt?: number | undefined;
  /** Called beside the write. */
  accept?: (() => Promise<void>) | undefined;
}

/**
 * Begins a session of an administrator who has proved who they are.
 *
 * @throws ConditionError if the administrator has changed since the record was read
 */
export async function beginSession(
  record: AdminRecord,
  { origin, change, more = [], accept, hasFactor = false, endsAt }: SessionStart,
): Promise<AdminLogin> {
  const { id, session_epoch, devices = [] } = record;
  const { address, device } = origin;
  const session = prepareSession('admin', id, session_epoch, { ...origin, hasFactor, endsAt });
  const isKnown = devices.includes(device);
  // The first login of all has no other device to differ from.
  const isNew = !isKnown && devices.length > 0;
  recordPart('session', sessionPart, { device, new_device: isNew });
  const login = { last_login_at: new Date().toISOString(), last_login_ip: address };
  const known = !isKnown && { devices: [...devices, device].slice(-mostDevices) };
  const update = changeItem(admins.key({ id }), {
    ...change,
    set: { ...login, ...known, ...change.set },
    expect: { session_epoch, ...change.expect },
  });
  await settleAll([transact([update, session.write, ...more]), accept?.()]);
  const admin = { ...toRow(admins, record), ...login, two_factor: record.two_factor };
  return { token: session.token, expires_at: session.expiresAt, admin };
}

/** What the write of every login names. */
export const loginAttributes = [
  'pk',
  'sk',
  'last_login_at',
  'last_login_ip',
  'devices',
  'session_epoch',
] as const;

/** Logins write them, each with the attributes that it needs. */
export const writtenKeys: ListWrittenKeys = () => [];
