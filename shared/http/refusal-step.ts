import { AppError } from '#shared/errors/app-error.ts';
import type { RequestAudit } from './audit-step.ts';
import type { Route } from './route.ts';

/**
 * Records only that a permission was refused. What records is loaded on first use, because reads rarely need it.
 *
 * @param action the route's permission, without its kind
 */
export const recordRefusals =
  (action: string) =>
  (route: Route): RequestAudit => ({
    async onError(request) {
      if (!(request.error instanceof AppError) || request.error.code !== 'auth.permission_denied') return;
      const { recordRequests } = await import('./audit-step.ts');
      await recordRequests(action)(route).onError?.(request);
    },
  });
