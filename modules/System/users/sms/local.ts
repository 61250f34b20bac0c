import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { environment } from '#shared/config/environment.ts';
import { createDriver } from './create-driver.ts';
import type { SmsDriver } from './sms-driver.ts';
import { SmsError } from './sms-error.ts';

export interface LocalDriverOptions {
  /** Folder of the file. @default `environment().dataDir` */
  dataDir: string | undefined;
  /** Whether this is a deployment, where the driver is refused. @default `environment().isDeployed` */
  isDeployed: boolean;
}

/**
 * Sends nothing: appends `{ mobile, scene, code, at }` as a line to `{DATA_DIR}/sms.jsonl`, which only its
 * owner may read. For development; deployed, and without a data folder, it refuses every message.
 */
export function createLocalDriver(options: LocalDriverOptions = environment()): SmsDriver {
  const { dataDir, isDeployed } = options;
  return createDriver(async ({ mobile, scene, code }) => {
    if (isDeployed) throw new SmsError('the local driver sends nothing, and is refused when deployed');
    if (!dataDir) throw new SmsError('DATA_DIR is not set');
    await mkdir(dataDir, { recursive: true });
    const line = JSON.stringify({ mobile, scene, code, at: new Date().toISOString() });
    await appendFile(join(dataDir, 'sms.jsonl'), `${line}\n`, { mode: 0o600 });
  });
}
