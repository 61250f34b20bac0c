import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { assertAccount } from '#cli/framework/account.ts';
import type { Framework, FrameworkOptions } from '#cli/framework/framework.ts';
import { type AccountState, createAccount, startAccount } from '../../../doubles/aws-account.ts';
import type { RunningDouble } from '../../../doubles/serve.ts';

const before = { ...process.env };
const missing = Object.assign(new Error('not found'), { code: 'AWS_CREDENTIALS_NOT_FOUND' });
let cloud: RunningDouble & { account: AccountState };
let credentials: () => Promise<{ accessKeyId: string; secretAccessKey: string }>;

beforeAll(async () => {
  cloud = await startAccount();
});

afterAll(() => cloud.stop());

beforeEach(() => {
  Object.assign(cloud.account, createAccount());
  const { PUBLIC_URL: _url, ...others } = before;
  process.env = { ...others, AWS_ENDPOINT_URL: cloud.url };
  credentials = async () => ({ accessKeyId: 'a', secretAccessKey: 'b' });
});

afterEach(() => {
  process.env = { ...before };
});

const run = (command: string, options: FrameworkOptions = {}) => {
  const framework: Framework = {
    service: { provider: {}, functions: {}, resources: {} },
    getProvider: () => ({ getAwsSdkV3Config: async () => ({ region: 'eu-central-1', credentials }) }),
    processedInput: { commands: command.split(' '), isHelpRequest: false },
  };
  return assertAccount(framework, options, 'prod');
};

describe('commands of the framework', () => {
  it.each(['deploy', 'deploy function', 'info', 'remove', 'rollback', 'logs', 'invoke'])(
    'need credentials: %s',
    async (command) => {
      credentials = () => Promise.reject(missing);

      await expect(run(command)).rejects.toThrow(/^no AWS credentials were found.*\nRun: aws configure$/);
    },
  );

  it.each(['package', 'offline', 'offline start', 'print', 'invoke local'])(
    'ask for no account: %s',
    async (command) => {
      credentials = () => Promise.reject(missing);

      await run(command);

      expect(cloud.account.asked).toEqual([]);
    },
  );
});

describe('a deployment by hand of a stage with a URL in the parameter store', () => {
  beforeEach(() => {
    cloud.account.parameters.set('/backend/prod/PUBLIC_URL', { Type: 'String', Value: 'https://a.example' });
  });

  it.each(['deploy', 'deploy function'])('is refused before it changes the URL: %s', async (command) => {
    await expect(run(command)).rejects.toThrow('set PUBLIC_URL=parameter');
  });

  it('goes on with the variable, with a package, or if it deploys nothing', async () => {
    await run('deploy', { package: '.build/deploy/core' });
    await run('info');
    process.env.PUBLIC_URL = 'parameter';
    await run('deploy');
  });

  it('is refused if the store cannot be read', async () => {
    cloud.account.refusals.set('ssm', 'AccessDeniedException');

    await expect(run('deploy')).rejects.toThrow();
  });
});
