import { settleAll } from '#shared/async/settle-all.ts';
import { toPublicUrl } from '../addresses.ts';
import { ObjectExistsError, type StorageEngine, type StoredObject } from '../engine.ts';
import { reportUnavailable } from '../failures.ts';
import { type CloudOptions, defaultTimeoutMs, type QcloudSettings } from '../settings.ts';
import { toAccount } from './qcloud/account.ts';
import { type CosCalls, createCalls } from './qcloud/calls.ts';
import { createDirectTicket, toStagingKey } from './qcloud/direct-ticket.ts';

/**
 * Tencent Cloud Object Storage. Clients send files to a staging key; {@link StorageEngine.settle} copies them
 * to their own. Where a bucket keeps versions, or did, COS does not refuse to overwrite: two writers of one
 * key within one moment may then both succeed.
 *
 * @throws AppError `storage.not_configured` for settings that are missing or have the wrong form,
 * `storage.unavailable` for an endpoint that may not be reached
 */
export function createQcloudEngine(
  settings: QcloudSettings,
  { timeoutMs = defaultTimeoutMs }: CloudOptions = {},
): StorageEngine {
  const account = toAccount(settings);
  const { domain } = settings;

  const run = <Result>(work: (cos: CosCalls) => Promise<Result>): Promise<Result> =>
    reportUnavailable(() => work(createCalls(account, Date.now() + timeoutMs)));

  return {
    name: 'qcloud',
    put: (key, bytes, contentType) =>
      run(async (cos) => {
        // For buckets that do not refuse by themselves.
        if (await cos.head(key)) throw new ObjectExistsError();
        if (!(await cos.put(key, bytes, contentType))) throw new ObjectExistsError();
      }),
    stat: (key) => run(async (cos) => toStored(await cos.head(key))),
    readRange: (key, start, end) => run((cos) => cos.read(key, start, end)),
    delete: (key) =>
      run(async (cos) => {
        await settleAll([cos.remove(key), cos.remove(toStagingKey(key))]);
      }),
    directTicket: async (upload) => createDirectTicket(account, upload),
    settle: (key) =>
      run(async (cos) => {
        const settled = (await cos.head(key)) ?? (await bring(cos, key));
        if (settled) await cos.remove(toStagingKey(key));
        return toStored(settled);
      }),
    publicUrl: (key) => toPublicUrl(domain, key),
  };
}

/** Copies what was sent to its own key, of whatever size: the caller judges what cannot change any more. */
async function bring(cos: CosCalls, key: string) {
  const sent = await cos.head(toStagingKey(key));
  const isCopied = sent && (await cos.copy(toStagingKey(key), key, sent));
  // Somebody else may have settled it meanwhile.
  return isCopied ? sent : cos.head(key);
}

function toStored(found: StoredObject | undefined): StoredObject | undefined {
  return found && { sizeBytes: found.sizeBytes };
}
