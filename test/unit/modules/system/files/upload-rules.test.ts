import '../../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import { inAnotherProcess } from '../../../../support/database.ts';

test.each([
  ['10,000,000 bytes of a file locally', {}, 10_000_000],
  ['4,194,304 bytes of a file deployed', { AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001' }, 4_194_304],
])('a form takes %s', (_title, environment, bytes) =>
  inAnotherProcess(environment, async () => {
    const { formLimitBytes } = await import('#modules/System/files/uploads/upload-rules.ts');

    expect(formLimitBytes()).toBe(bytes);
  }),
);
