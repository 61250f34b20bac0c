import { systemAdminLoginLogout } from '#build/console/api.ts';
import { t } from '../base/locale.ts';
import { ask } from '../base/messages.ts';
import { administrator, end, hasLoggedOut } from '../base/session.ts';
import type { Ending } from '../base/tabs.ts';
import { countDrafts, forgetDrafts } from './forms/draft-store.ts';
import { leaveTab, mayLeaveTab } from './leave-guard.ts';

/**
 * Ends the login in the service too; without an answer, the service ends it when it is idle. Asks first if something
 * would be lost.
 *
 * @param next the page to open after another login, below `/console`. @default the start page
 */
export async function logOut(next?: string): Promise<void> {
  if (!(await mayLogOut())) return;
  await systemAdminLoginLogout().catch(() => {});
  openLogin(next);
}

/** Asks if something would be lost: the drafts of the browser, or what the tab holds. @returns whether to log out */
export async function mayLogOut(): Promise<boolean> {
  const count = administrator.value ? countDrafts(administrator.value.id) : 0;
  if (count === 0) return mayLeaveTab(t('app.log_out'));
  return ask(t('draft.log_out', { count }), t('app.log_out'), {
    confirmButtonText: t('app.log_out'),
    cancelButtonText: t('form.stay'),
  });
}

/**
 * Ends the login in all tabs, and forgets what this tab holds for the administrator.
 *
 * @param next as of {@link logOut} @param why shown in the other tabs
 */
export function openLogin(next?: string, why?: Ending): void {
  const leaving = administrator.value?.id;
  end(why);
  // Who logs out leaves nothing to the next operator of this browser; another ending keeps what was not saved.
  if (hasLoggedOut.value && leaving) forgetDrafts(leaving);
  showLoginPage(next);
}

/** Opens the login page in place of the console. @param next as of {@link logOut} @param why shown to the operator */
export function showLoginPage(next?: string, why?: Ending): void {
  const query = new URLSearchParams({ ...(next && next !== '/' && { to: next }), ...(why && { why }) });
  leaveTab(`/console/login${query.size > 0 ? `?${query}` : ''}`);
}
