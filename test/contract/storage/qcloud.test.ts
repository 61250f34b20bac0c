import '../../support/environment.ts';
import { createEngine as createQcloudEngine } from '#shared/storage/engines/qcloud/engine.ts';
import { startTencentCos } from '../../doubles/tencent-cos.ts';
import { itIsAStorageEngine } from './conformance.ts';
import { openWith, stopAll } from './open-with.ts';

itIsAStorageEngine('qcloud', async () => {
  const account = { bucket: 'examplebucket-1250000000', region: 'ap-guangzhou' };
  const keys = { access_key: 'AKIDexample', secret_key: 'a-secret' };
  const cos = await startTencentCos({ ...account, keys: { [keys.access_key]: keys.secret_key } });
  const privateBucket = 'secretbucket-1250000000';
  const cosOfPrivate = await startTencentCos({
    ...account,
    bucket: privateBucket,
    isPrivate: true,
    keys: { [keys.access_key]: keys.secret_key },
  });
  const settings = { ...account, ...keys, endpoint: cos.url, domain: cos.url };
  const all = { ...settings, private_bucket: privateBucket, private_domain: cosOfPrivate.url };
  return {
    ofPrivate: {
      engine: await openWith('qcloud', all),
      withWrongSecret: await openWith('qcloud', { ...all, secret_key: 'another-secret' }),
      openUrls: (key) => [`${cosOfPrivate.url}/${key}`, `${cos.url}/${key}`],
    },
    engine: createQcloudEngine(settings),
    withWrongSecret: createQcloudEngine({ ...settings, secret_key: 'another-secret' }),
    countObjects: async () => cos.objects.size,
    moveClock(seconds) {
      cos.clockSeconds = seconds;
      cosOfPrivate.clockSeconds = seconds;
    },
    stop: () => stopAll(cos, cosOfPrivate),
  };
});
