import '../../support/environment.ts';
import { createEngine as createS3Engine } from '#shared/storage/engines/s3/engine.ts';
import type { S3Settings } from '#shared/storage/engines/s3/settings.ts';
import { type AmazonS3Double, startAmazonS3 } from '../../doubles/amazon-s3.ts';
import { itIsAStorageEngine } from './conformance.ts';
import { openWith } from './open-with.ts';

const keys = { access_key: 'AKIAEXAMPLE', secret_key: 'a-secret-of-thirty-characters' };
const place = { bucket: 'files-of-a-site', region: 'ap-southeast-1' };

function test(name: string, choose: (double: AmazonS3Double) => Partial<S3Settings>) {
  itIsAStorageEngine(`s3, ${name}`, async () => {
    const double = await startAmazonS3({
      ...place,
      keys: { [keys.access_key]: { secret: keys.secret_key } },
    });
    const settings = {
      ...place,
      ...keys,
      domain: double.boundUrl,
      endpoint: double.url,
      path_style: false,
      ...choose(double),
    };
    const all = { ...settings, private_bucket: place.bucket };
    return {
      ofPrivate: {
        engine: await openWith('s3', all),
        withWrongSecret: await openWith('s3', { ...all, secret_key: 'another-secret' }),
        openUrls: (key) => [`${double.boundUrl}/${key}`],
      },
      engine: createS3Engine(settings),
      withWrongSecret: createS3Engine({ ...settings, secret_key: 'another-secret' }),
      countObjects: async () => double.objects.size,
      moveClock: (seconds) => {
        double.clockSeconds = seconds;
      },
      stop: double.stop,
    };
  });
}

test('at an address', () => ({}));
test('with the bucket in the path', ({ boundUrl }) => ({
  endpoint: boundUrl,
  path_style: true,
}));
