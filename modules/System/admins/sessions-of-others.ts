import { adminPrincipals } from '#shared/auth/principal.ts';
import { assertManageable, type Manager } from './tokens-of-others.ts';

// Sessions are listed and ended by their owner, and by who may change the owner, as tokens are.

export const sessionsOfOthers = {
  zh_CN: '登录后管理自己的会话无需权限。带 `owner_id` 时为该管理员的，须有此权限，并拥有该管理员的全部权限。',
  en: 'Your own sessions need no permission with a login. With `owner_id` it is about those of that administrator: it needs this permission, and all rights of that administrator.',
};

/**
 * Checks that a caller may manage the sessions of another administrator.
 *
 * @returns the lowest epoch of the other's valid sessions
 * @throws AppError `auth.permission_denied`, `admin.not_found`, `role.exceeds`
 */
export async function readSessionEpoch(ownerId: string, caller: Manager): Promise<number> {
  await assertManageable(ownerId, caller);
  return (await adminPrincipals.getOne(ownerId))?.sessionEpoch ?? 0;
}
