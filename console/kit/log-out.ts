import { systemAdminLoginLogout } from '#build/console/api.ts';
import { t } from '../base/locale.ts';
import { end } from '../base/session.ts';
import type { Ending } from '../base/tabs.ts';
import { leaveTab, mayLeaveTab } from './leave-guard.ts';

/**
 * Ends the login in the service too; without an answer, the service ends it when it is idle. Asks first if something
 * would be lost.
 *
 * @param next the page to open after another login, below `/console`. @default the start page
 */
export async function logOut(next?: string): Promise<void> {
  if (!(await mayLeaveTab(t('app.log_out')))) return;
  await systemAdminLoginLogout().catch(() => {});
  openLogin(next);
}

/** Ends the login in all tabs, and forgets what this tab holds for the administrator. @param next as of {@link logOut} */
export function openLogin(next?: string): void {
  end();
  showLoginPage(next);
}

/** Opens the login page in place of the console. @param next as of {@link logOut} @param why shown to the operator */
export function showLoginPage(next?: string, why?: Ending): void {
  const query = new URLSearchParams({ ...(next && next !== '/' && { to: next }), ...(why && { why }) });
  leaveTab(`/console/login${query.size > 0 ? `?${query}` : ''}`);
}
