import type { Item } from '#shared/db/items.ts';
import { listPartitions } from '#shared/db/paging/spread-index.ts';
import { differ, type Holdings, type Invariant, sum, under } from './invariant.ts';

const list = (holdings: Holdings, kind: 'ADMIN' | 'USER') =>
  under(holdings, `${kind}#`).filter(({ pk, sk }) => pk === sk);

/** Each claim belongs to a principal with the claimed value, and each principal holds its claims. */
const claims: Invariant = (holdings) => {
  const expected = [
    ...list(holdings, 'ADMIN').map(({ id, account }) => [`CLAIM#ADMIN_ACCOUNT#${account}`, id]),
    ...list(holdings, 'USER').flatMap(({ id, sn, mobile }) => [
      [`CLAIM#USER_SN#${sn}`, id],
      ...(mobile ? [[`CLAIM#USER_MOBILE#${mobile}`, id]] : []),
    ]),
  ].map((claim) => claim.join(' of '));
  const known = new Set(expected);
  const found = new Set(under(holdings, 'CLAIM#').map(({ pk, id }) => `${pk} of ${id}`));
  return [
    ...expected.filter((claim) => !found.has(claim)).map((claim) => `no ${claim}`),
    ...[...found].filter((claim) => !known.has(claim)).map((claim) => `${claim}, who has it not`),
  ];
};

const counters: Invariant = (holdings) => {
  const enabled = list(holdings, 'ADMIN').filter(({ status }) => status === 'enabled');
  const users = list(holdings, 'USER');
  const totals = under(holdings, 'COUNTER#USERS#');
  const days = under(holdings, 'COUNTER#USERS_MONTH#').flatMap((item) =>
    Object.entries(item).flatMap(([name, count]) => (name.startsWith('day_') ? [Number(count)] : [])),
  );
  const terminals = ['terminal_1', 'terminal_2', 'terminal_3'].map((terminal) => sum(totals, terminal));
  return [
    ...differ(
      'enabled administrators',
      sum(under(holdings, 'COUNTER#ADMIN_ENABLED'), 'count'),
      enabled.length,
    ),
    ...differ(
      'enabled super administrators',
      sum(under(holdings, 'COUNTER#ADMIN_SUPER'), 'count'),
      enabled.filter((admin) => admin.super).length,
    ),
    ...differ('roles', sum(under(holdings, 'COUNTER#ROLE'), 'count'), under(holdings, 'ROLE').length),
    ...differ('users', sum(totals, 'total'), users.length),
    ...differ(
      'users by day',
      days.reduce((total, count) => total + count, 0),
      users.length,
    ),
    ...differ(
      'users by terminal',
      terminals.reduce((total, count) => total + count, 0),
      users.length,
    ),
  ];
};

/** Each role knows how many administrators hold it, and each role that is held exists. */
const roles: Invariant = (holdings) => {
  const held = list(holdings, 'ADMIN').flatMap(({ role_ids }) => [role_ids ?? []].flat().map(String));
  const stored = under(holdings, 'ROLE');
  const known = new Set(stored.map(({ sk }) => sk));
  return [
    ...stored.flatMap(({ sk, admin_count }) =>
      differ(`holders of ${sk}`, admin_count, held.filter((id) => id === sk).length),
    ),
    ...held.filter((id) => !known.has(id)).map((id) => `role ${id} is held and does not exist`),
  ];
};

/** Each session belongs to a principal, has a valid epoch, and expires. */
const sessions: Invariant = (holdings) => {
  const principals = new Map<unknown, Item>();
  for (const kind of ['ADMIN', 'USER'] as const) {
    for (const item of list(holdings, kind)) principals.set(`${kind} ${item.id}`, item);
  }
  return under(holdings, 'SESSION#').flatMap(({ pk, kind, principalId, epoch, expiresAt, ttl }) => {
    const principal = principals.get(`${String(kind).toUpperCase()} ${principalId}`);
    if (!principal) return [`${pk} has no owner`];
    const isWell = Number(epoch) <= Number(principal.session_epoch) && ttl === expiresAt;
    return isWell ? [] : [`${pk} of epoch ${epoch} ends ${ttl}`];
  });
};

/** What is listed by an index is listed under its own ID. */
const lists: Invariant = (holdings) =>
  (['ADMIN', 'USER'] as const).flatMap((kind) =>
    list(holdings, kind)
      .filter(({ id, gsi1pk, gsi1sk }) => {
        const partitions = kind === 'USER' ? [kind, ...listPartitions(kind)] : [kind];
        return !partitions.includes(String(gsi1pk)) || gsi1sk !== id;
      })
      .map(({ pk }) => `${pk} is not listed`),
  );

export const principalInvariants: Invariant[] = [claims, counters, roles, sessions, lists];
