import type { Context } from 'aws-lambda';
import { captureConsole, log } from '#shared/log/log.ts';
import type { Job } from '#shared/module/module.ts';

/** How long before the function is stopped a job is told to end, in milliseconds. */
const reserveMs = 10_000;

/**
 * The Lambda handler of a job. A failure is logged and thrown, so that it counts as one.
 *
 * @throws EnvironmentError at load time when a variable is missing
 */
export function jobHandler({ run }: Job, { name }: { name: string }) {
  captureConsole();
  return async (_event: unknown, context: Context): Promise<void> => {
    const fields = { request_id: context.awsRequestId, function: name };
    try {
      const outcome = await run(() => context.getRemainingTimeInMillis() < reserveMs);
      log.info('job', { ...fields, ...outcome });
    } catch (error) {
      log.error('job.failed', { ...fields, error });
      throw error;
    }
  };
}
