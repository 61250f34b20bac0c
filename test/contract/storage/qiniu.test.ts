import { createEngine as createQiniuEngine } from '#shared/storage/engines/qiniu/engine.ts';
import type { QiniuSettings } from '#shared/storage/engines/qiniu/settings.ts';
import { type QiniuKodoDouble, startQiniuKodo } from '../../doubles/qiniu-kodo.ts';
import { type EngineUnderTest, itIsAStorageEngine } from './conformance.ts';
import { openWith } from './open-with.ts';

const bucket = 'files';
const privateBucket = 'private_files';
const accessKey = 'an-access-key';
const secretKey = 'a-secret-key';
const noHosts = { region: '', up_host: '', rs_host: '', uc_host: '', https: false } as const;

async function openPrivate(settings: QiniuSettings, kodo: QiniuKodoDouble) {
  const all = { ...settings, private_bucket: privateBucket, private_domain: kodo.privateUrl };
  return {
    engine: await openWith('qiniu', all),
    withWrongSecret: await openWith('qiniu', { ...all, secret_key: 'another-key' }),
    openUrls: (key: string) => [`${kodo.privateUrl}/${key}`, `${kodo.url}/${key}`],
  };
}

async function start(toHosts: (host: string) => Partial<QiniuSettings>): Promise<EngineUnderTest> {
  const kodo = await startQiniuKodo({ bucket, privateBucket, accessKey, secretKey });
  const keys = { bucket, access_key: accessKey, secret_key: secretKey, domain: kodo.url };
  const settings = { ...keys, ...noHosts, ...toHosts(kodo.host) };
  return {
    ofPrivate: await openPrivate(settings, kodo),
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
