import '../../support/environment.ts';
import { createEngine as createAliyunEngine } from '#shared/storage/engines/aliyun/engine.ts';
import type { AliyunSettings } from '#shared/storage/engines/aliyun/settings.ts';
import { type AliyunOssDouble, type AliyunOssRules, startAliyunOss } from '../../doubles/aliyun-oss.ts';
import { itIsAStorageEngine } from './conformance.ts';
import { openWith, stopAll } from './open-with.ts';

const bucket = 'files-of-a-site';
const privateBucket = 'private-files-of-a-site';
const keys = { access_key: 'LTAI0000000000000000test', secret_key: 'a-secret-of-thirty-characters' };

function test(
  name: string,
  choose: (double: AliyunOssDouble) => Partial<AliyunSettings>,
  rules: Partial<AliyunOssRules> = {},
) {
  itIsAStorageEngine(`aliyun, ${name}`, async () => {
    const accounts = { [keys.access_key]: keys.secret_key };
    const double = await startAliyunOss({ bucket, keys: accounts, ...rules });
    const ofPrivate = await startAliyunOss({
      bucket: privateBucket,
      keys: accounts,
      isPrivate: true,
      ...rules,
      boundHost: 'localhost',
    });
    const settings = {
      bucket,
      ...keys,
      domain: double.boundUrl,
      endpoint: '',
      cname: false,
      path_style: false,
      region: '',
      ...choose(double),
    };
    const all = { ...settings, private_bucket: privateBucket, private_domain: ofPrivate.boundUrl };
    return {
      ofPrivate: {
        engine: await openWith('aliyun', all),
        withWrongSecret: await openWith('aliyun', { ...all, secret_key: 'another-secret' }),
        openUrls: (key) => [`${ofPrivate.boundUrl}/${key}`, `${double.boundUrl}/${key}`],
      },
      engine: createAliyunEngine(settings),
      withWrongSecret: createAliyunEngine({ ...settings, secret_key: 'another-secret' }),
      countObjects: async () => double.objects.size,
      moveClock: (seconds) => {
        double.clockOffsetSeconds = seconds;
        ofPrivate.clockOffsetSeconds = seconds;
      },
      stop: () => stopAll(double, ofPrivate),
    };
  });
}

test('on a bound domain, signed by version 1', () => ({}));
test('on a bound domain, signed by version 4', () => ({ region: 'cn-hangzhou' }));
test('on a bound domain that is an address', ({ url }) => ({ domain: url }), { boundHost: '127.0.0.1' });
test('with the bucket in the path', ({ url }) => ({ endpoint: url, path_style: true }));
test('with the bucket in the path, signed by version 4', ({ url }) => ({
  endpoint: url,
  path_style: true,
  region: 'oss-cn-hangzhou',
}));
test('that takes the type from the client', () => ({}), { knowsTypeField: false });
