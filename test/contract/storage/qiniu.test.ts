import { createEngine as createQiniuEngine } from '#shared/storage/engines/qiniu/engine.ts';
import type { QiniuSettings } from '#shared/storage/engines/qiniu/settings.ts';
import { startQiniuKodo } from '../../doubles/qiniu-kodo.ts';
import { type EngineUnderTest, itIsAStorageEngine } from './conformance.ts';

const bucket = 'files';
const accessKey = 'an-access-key';
const secretKey = 'a-secret-key';
const noHosts = { region: '', up_host: '', rs_host: '', uc_host: '', https: false } as const;

async function start(toHosts: (host: string) => Partial<QiniuSettings>): Promise<EngineUnderTest> {
  const kodo = await startQiniuKodo({ bucket, accessKey, secretKey });
  const keys = { bucket, access_key: accessKey, secret_key: secretKey, domain: kodo.url };
  const settings = { ...keys, ...noHosts, ...toHosts(kodo.host) };
  return {
    engine: createQiniuEngine(settings),
    withWrongSecret: createQiniuEngine({ ...settings, secret_key: 'another-key' }),
    countObjects: async () => kodo.objects.size,
    moveClock: (seconds) => {
      kodo.clockOffset = seconds;
    },
    stop: () => kodo.stop(),
  };
}

itIsAStorageEngine('qiniu at given hosts', () => start((host) => ({ up_host: host, rs_host: host })));

itIsAStorageEngine('qiniu at hosts that it asks for', () => start((host) => ({ uc_host: host })));
