import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { isInstalled, readSiteStatus, type SiteStatus } from '#shared/settings/site-status.ts';
import type { Gate } from '../request-context.ts';

const retryAfterSeconds = 60;

/** `api.site`: refuses requests while the site is closed (specification, "Authentication" 8). */
const apiSite: Gate<void> = async () => {
  // Rule 1: a service that is not installed passes.
  if (!isInstalled()) return;
  const { isClosed, message } = await readSiteStatus().catch((error: unknown): SiteStatus => {
    // Rule 4: an error of database or cache passes.
    log.warn('site.status_unreadable', { error });
    return { isClosed: false, message: '' };
  });
  if (!isClosed) return;
  throw new AppError('site.closed', { text: message, headers: { 'retry-after': String(retryAfterSeconds) } });
};

export default apiSite;
