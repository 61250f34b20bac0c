import '../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import { getItem } from '#shared/db/items.ts';

test('names what is missing in the environment', async () => {
  for (const name of ['DYNAMODB_ENDPOINT', 'AWS_REGION', 'AWS_DEFAULT_REGION']) delete process.env[name];

  await expect(getItem({ pk: 'a', sk: 'b' })).rejects.toMatchObject({
    name: 'EnvironmentError',
    message: expect.stringMatching(/^AWS_REGION is not set/),
  });
});
