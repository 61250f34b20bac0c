import '../../support/environment.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3Server from '@20minutes/s3rver';
import { createEngine as createS3Engine } from '#shared/storage/engines/s3/engine.ts';
import { type EngineUnderTest, itIsAStorageEngine } from './conformance.ts';
import { openWith } from './open-with.ts';
import { countFiles } from './receive-parts.ts';

const bucket = 'files-of-a-site';
/** The only keys that it knows. */
const keys = { access_key: 'S3RVER', secret_key: 'S3RVER' };

/** A server of others, which verifies signatures by code of its own. */
async function start(): Promise<EngineUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), 's3-server-'));
  const configureBuckets = [{ name: bucket }];
  const server = new S3Server({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const place = { bucket, region: 'us-east-1', endpoint, path_style: true };
  const settings = { ...keys, ...place, domain: `${endpoint}/${bucket}` };
  const all = { ...settings, private_bucket: place.bucket };
  return {
    ofPrivate: {
      engine: await openWith('s3', all),
      withWrongSecret: await openWith('s3', { ...all, secret_key: 'another-secret' }), // It has no policies, and checks only signatures that it is given.
      openUrls: () => [],
      // It compares the signs ' and * unescaped.
      linkName: 'card.png',
    },
    // It verifies signatures of lists without the slash behind the bucket's name: they are tested with the double.
    engine: { ...createS3Engine(settings), list: undefined },
    withWrongSecret: createS3Engine({ ...settings, secret_key: 'another-secret' }),
    countObjects: async () => countFiles(directory),
    overwrites: 'it does not know the header `if-none-match` of a PUT',
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

itIsAStorageEngine('s3, on a server of others', start);
