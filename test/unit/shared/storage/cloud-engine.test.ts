import '../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import { type Cloud, createCloudEngine } from '#shared/storage/engines/cloud-engine.ts';

const unused = () => Promise.reject(new Error('not called'));
const cloud: Cloud = {
  put: unused,
  stat: unused,
  readSpan: unused,
  delete: unused,
  directTicket: unused,
  finalise: unused,
  signedUrl: unused,
  uploadOrigins: async () => ['https://account.example.com'],
};

test.each(['https://account.example.com/container', 'account.example.com/container/'])(
  'names the origin of files below a path, as of a container: %s',
  async (domain) => {
    const engine = createCloudEngine(domain, {}, cloud);

    expect(engine.publicUrl('uploads/a b.png')).toBe(
      'https://account.example.com/container/uploads/a%20b.png',
    );
    expect(await engine.origins()).toMatchObject({ files: ['https://account.example.com'] });
  },
);
