import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';

// The only file that loads this SDK.

/** Any credentials will do for the local server, whose address the SDK reads from `AWS_ENDPOINT_URL_LAMBDA`. */
const local = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/**
 * Calls a job for this moment, and does not wait for its end.
 *
 * @param name of its function, without service and stage
 * @throws AppError `internal` if the function cannot be called
 */
export async function startJob(name: string): Promise<void> {
  const { isDeployed, metricsTarget, aws } = environment();
  const { namespace, stage } = metricsTarget ?? { namespace: 'backend', stage: 'local' };
  const { region } = aws;
  const client = new LambdaClient(isDeployed ? { maxAttempts: 3, ...(region && { region }) } : local);
  try {
    await client.send(
      new InvokeCommand({
        FunctionName: `${namespace}-${stage}-${name}`,
        InvocationType: 'Event',
        Payload: JSON.stringify({ due: new Date().toISOString() }),
      }),
    );
  } catch (cause) {
    throw new AppError('internal', { cause });
  } finally {
    client.destroy();
  }
}
