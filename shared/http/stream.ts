import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import type { Key } from '#shared/db/keys.ts';
import { captureConsole, log } from '#shared/log/log.ts';
import type { ModuleManifest, StreamListener } from '#shared/module/module.ts';

export interface StreamHandlerOptions {
  /** Name of the function. */
  name: string;
  /** Manifests of the enabled modules. */
  modules: readonly ModuleManifest[];
}

/**
 * The Lambda handler of a listener on the table's stream. A failure is logged and thrown, so that the same
 * records come again.
 *
 * @throws EnvironmentError at load time when a variable is missing
 */
export function streamHandler({ handle }: StreamListener, { name, modules }: StreamHandlerOptions) {
  captureConsole();
  return async (event: DynamoDBStreamEvent, context: Context): Promise<void> => {
    const fields = { request_id: context.awsRequestId, function: name };
    try {
      const changed = readKeys(event);
      const outcome = await handle(changed, modules);
      log.info('stream', { ...fields, records: changed.length, ...outcome });
    } catch (error) {
      log.error('stream.failed', { ...fields, error });
      throw error;
    }
  };
}

/** Keys of the records. One without any is let pass: told again it would say no more, and hold up the rest. */
function readKeys({ Records: records }: DynamoDBStreamEvent): Key[] {
  return records.flatMap(({ eventID, dynamodb }) => {
    const [pk, sk] = [dynamodb?.Keys?.pk?.S, dynamodb?.Keys?.sk?.S];
    if (pk !== undefined && sk !== undefined) return [{ pk, sk }];
    log.warn('stream.record_without_keys', { event_id: eventID });
    return [];
  });
}
