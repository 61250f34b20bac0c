import { systemAdminLoginLogout } from '#build/console/api.ts';
import { t } from '../base/locale.ts';
import { end } from '../base/session.ts';
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

/** Forgets the login, and all that the tab holds for the administrator. @param next as of {@link logOut} */
export function openLogin(next?: string): void {
  end();
  leaveTab(`/console/login${next ? `?${new URLSearchParams({ to: next })}` : ''}`);
}
