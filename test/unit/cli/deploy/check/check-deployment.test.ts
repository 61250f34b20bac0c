import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { assertDeployable, checkDeployment } from '#cli/deploy/check/check-deployment.ts';
import type { Finding } from '#cli/deploy/check/finding.ts';
import type { Plan } from '#cli/deploy/check/plan.ts';
import { startUpstashEndpoint, type UpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { type AccountState, createAccount, startAccount } from '../../../../doubles/aws-account.ts';
import { type RunningDouble, serve, serveRaw } from '../../../../doubles/serve.ts';

const token = 'token-of-the-cache';
const appKey = `secret-${'k'.repeat(40)}`;
const before = { ...process.env };
let cloud: RunningDouble & { account: AccountState };
let cache: UpstashEndpoint;

beforeAll(async () => {
  [cloud, cache] = await Promise.all([startAccount(), startUpstashEndpoint({ token })]);
});

afterAll(async () => {
  await Promise.all([cloud.stop(), cache.stop()]);
});

beforeEach(() => {
  process.env = {
    ...before,
    AWS_ENDPOINT_URL: cloud.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'double',
    AWS_SECRET_ACCESS_KEY: 'double',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  Object.assign(cloud.account, createAccount());
  put('APP_KEY', appKey);
  put('UPSTASH_REDIS_REST_URL', cache.url);
  put('UPSTASH_REDIS_REST_TOKEN', token);
});

afterEach(() => {
  process.env = { ...before };
  jest.restoreAllMocks();
});

const put = (name: string, Value: string, Type = 'String') =>
  cloud.account.parameters.set(`/backend/prod/${name}`, { Type, Value });

const stored = (name: string) => `{{resolve:ssm:/backend/prod/${name}}}`;
const own = { 'Fn::GetAtt': ['HttpApi', 'ApiEndpoint'] };

const createPlan = (changes: Partial<Plan> = {}, environment: object = {}): Plan => ({
  stage: 'prod',
  region: 'eu-central-1',
  environment: {
    TABLE_NAME: { Ref: 'Table' },
    APP_KEY: stored('APP_KEY'),
    PUBLIC_URL: own,
    UPSTASH_REDIS_REST_URL: stored('UPSTASH_REDIS_REST_URL'),
    UPSTASH_REDIS_REST_TOKEN: stored('UPSTASH_REDIS_REST_TOKEN'),
    ...environment,
  },
  findReserved: async () => [
    { name: 'backend-prod-login', concurrency: 50 },
    { name: 'backend-prod-register', concurrency: 20 },
  ],
  isBuilt: false,
  ...changes,
});

/** The findings that are not in order, by subject. */
async function findFaults(plan = createPlan()): Promise<Record<string, Finding>> {
  const { findings } = await checkDeployment(plan);
  expect(JSON.stringify(findings)).not.toContain(token);
  expect(JSON.stringify(findings)).not.toContain(appKey);
  const faults = findings.filter(({ state }) => state !== 'ok' && state !== 'not tried');
  return Object.fromEntries(faults.map((each) => [each.subject.replace('/backend/prod/', ''), each]));
}

/** The endpoint of the cache has no certificate here. */
const plainCache = { 'parameter UPSTASH_REDIS_REST_URL': { state: 'warning' } };

describe('an account that is ready', () => {
  it('passes every check', async () => {
    expect(await findFaults()).toMatchObject(plainCache);

    const { findings, settings } = await checkDeployment(createPlan());
    expect(findings.map(({ subject, state }) => `${state} ${subject}`)).toEqual([
      'ok stage',
      'ok credentials',
      'ok region',
      'ok concurrency',
      'ok parameter /backend/prod/APP_KEY',
      'warning parameter /backend/prod/UPSTASH_REDIS_REST_URL',
      'ok parameter /backend/prod/UPSTASH_REDIS_REST_TOKEN',
      'ok PUBLIC_URL',
      'ok Upstash',
    ]);
    expect(settings).toEqual({});
  });

  it('is printed, and keeps the settings as they are', async () => {
    const print = jest.spyOn(console, 'log').mockImplementation(() => {});

    await assertDeployable(createPlan(), true);

    expect(String(print.mock.calls)).toContain('ok         credentials: account 123456789012');
    expect(process.env.CONCURRENCY_FACTOR).toBeUndefined();
  });

  it('says which region is used if no variable names one', async () => {
    delete process.env.AWS_REGION;

    const { region } = await findFaults();

    expect(region).toMatchObject({ state: 'warning', command: 'export AWS_REGION=eu-central-1' });
  });
});

describe('one check that fails', () => {
  const failsAlone = (faults: Record<string, Finding>, subject: string, command: string) => {
    const { 'parameter UPSTASH_REDIS_REST_URL': _plain, ...others } = faults;
    expect(Object.keys({ ...others, [subject]: 0 })).toEqual([subject]);
    expect(faults[subject]).toMatchObject({ state: 'failed' });
    expect(faults[subject]?.command).toContain(command);
  };

  it('is the name of the stage', async () => {
    const { findings } = await checkDeployment(createPlan({ stage: 'Production' }));

    expect(findings[0]).toMatchObject({ subject: 'stage', state: 'failed' });
  });

  it.each([
    ['InvalidClientTokenId', 'aws configure'],
    ['ExpiredToken', 'aws sso login'],
    ['ServiceUnavailable', 'aws sts get-caller-identity'],
  ])('is the credentials, refused with %s', async (code, command) => {
    cloud.account.refusals.set('sts', code);

    failsAlone(await findFaults(), 'credentials', command);
    expect(new Set(cloud.account.asked)).toEqual(new Set(['sts']));
  });

  it('is a region that the account has not enabled', async () => {
    cloud.account.disabledRegions.add('eu-central-1');

    failsAlone(await findFaults(), 'region', 'aws account enable-region --region-name eu-central-1');
  });

  it('is the concurrency that is set by hand, or in packages', async () => {
    cloud.account.concurrency = { quota: 10, unreserved: 10 };
    process.env.CONCURRENCY_FACTOR = '1';

    failsAlone(await findFaults(), 'concurrency', 'request-service-quota-increase');
    delete process.env.CONCURRENCY_FACTOR;
    failsAlone(await findFaults(createPlan({ isBuilt: true })), 'concurrency', '--quota-code');
  });

  it.each([
    ['APP_KEY', 'short', 'openssl rand'],
    ['APP_KEY', `${'k'.repeat(32)},short`, '--overwrite'],
    ['UPSTASH_REDIS_REST_TOKEN', 'with\nbreak', 'read -rs VALUE'],
    ['UPSTASH_REDIS_REST_URL', token, 'read -r VALUE'],
  ])('is the parameter %s of the value %j', async (name, value, command) => {
    put(name, value);

    failsAlone(await findFaults(), `parameter ${name}`, command);
  });

  it('is a parameter that is missing, or of a type that CloudFormation does not resolve', async () => {
    cloud.account.parameters.delete('/backend/prod/APP_KEY');
    failsAlone(await findFaults(), 'parameter APP_KEY', '"$(openssl rand -base64 48)"');

    put('APP_KEY', 'AQICAHh', 'SecureString');
    failsAlone(await findFaults(), 'parameter APP_KEY', 'aws ssm delete-parameter');
  });

  it('is a secret of CloudFront that is missing or short', async () => {
    const plan = createPlan({}, { EDGE_SECRET: stored('EDGE_SECRET') });
    failsAlone(await findFaults(plan), 'parameter EDGE_SECRET', '"$(openssl rand -base64 48)"');

    put('EDGE_SECRET', `${'e'.repeat(32)},short`);
    failsAlone(await findFaults(plan), 'parameter EDGE_SECRET', '--overwrite');
  });

  it('is the token of the cache', async () => {
    put('UPSTASH_REDIS_REST_TOKEN', 'another');

    failsAlone(await findFaults(), 'Upstash', 'put-parameter');
  });

  it.each(['ssm', 'lambda'] as const)('is a service that refuses: %s', async (service) => {
    cloud.account.refusals.set(service, 'InternalError');

    failsAlone(await findFaults(), service === 'ssm' ? 'parameters' : 'concurrency', '');
  });
});

describe('the secret of Secrets Manager', () => {
  const resolve = (key: string) => `{{resolve:secretsmanager:backend/prod:SecretString:${key}}}`;
  const plan = createPlan(
    {},
    { APP_KEY: resolve('APP_KEY'), UPSTASH_REDIS_REST_TOKEN: resolve('UPSTASH_REDIS_REST_TOKEN') },
  );

  it('holds the values instead of parameters', async () => {
    cloud.account.parameters.delete('/backend/prod/APP_KEY');
    cloud.account.secrets.set(
      'backend/prod',
      JSON.stringify({ APP_KEY: appKey, UPSTASH_REDIS_REST_TOKEN: token }),
    );

    expect(Object.keys(await findFaults(plan))).toEqual(['parameter UPSTASH_REDIS_REST_URL']);
  });

  it.each([
    ['missing', undefined, 'it is missing', 'create-secret'],
    ['no JSON', token, 'it is not a JSON object', 'put-secret-value'],
  ])('fails if it is %s', async (_name, text, message, command) => {
    if (text !== undefined) cloud.account.secrets.set('backend/prod', text);

    const fault = (await findFaults(plan))['secret backend/prod'];

    expect(fault).toMatchObject({ state: 'failed', text: message });
    expect(fault?.command).toContain(command);
  });

  it('fails for one key alone', async () => {
    cloud.account.secrets.set('backend/prod', JSON.stringify({ UPSTASH_REDIS_REST_TOKEN: token }));

    expect(Object.keys(await findFaults(plan))).toEqual([
      'parameter UPSTASH_REDIS_REST_URL',
      'secret backend/prod, APP_KEY',
    ]);
  });
});

describe('everything at once', () => {
  it('names each fault, and asks nothing in vain', async () => {
    cloud.account.parameters.clear();
    cloud.account.refusals.set('lambda', 'InternalError');

    const { findings } = await checkDeployment(createPlan());

    expect(findings.map(({ subject, state }) => `${state} ${subject}`)).toEqual([
      'ok stage',
      'ok credentials',
      'ok region',
      'failed concurrency',
      'failed parameter /backend/prod/APP_KEY',
      'failed parameter /backend/prod/UPSTASH_REDIS_REST_URL',
      'failed parameter /backend/prod/UPSTASH_REDIS_REST_TOKEN',
      'ok PUBLIC_URL',
      'not tried Upstash',
    ]);
  });

  it('looks for no parameters of a stage whose name cannot be one', async () => {
    const { findings } = await checkDeployment(createPlan({ stage: 'Production' }));

    expect(findings.map(({ subject, state }) => `${state} ${subject}`)).toEqual([
      'failed stage',
      'ok credentials',
      'ok region',
      'not tried concurrency',
      'not tried parameters',
      'not tried PUBLIC_URL',
      'not tried Upstash',
    ]);
    expect(findings[3]?.text).toBe('needs the stage');
  });

  it('says that nothing else was tried without credentials', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    process.env.AWS_SHARED_CREDENTIALS_FILE = process.env.AWS_CONFIG_FILE = '/dev/null';

    const { findings } = await checkDeployment(createPlan());

    expect(findings[1]).toMatchObject({ state: 'failed', command: 'aws configure' });
    expect(findings[1]?.text).toContain('no AWS credentials were found');
    expect(new Set(findings.slice(2).map(({ state }) => state))).toEqual(new Set(['not tried']));
    expect(cloud.account.asked).toEqual([]);
  });
});

describe('services that never answer', () => {
  it.each([
    [['sts'], ['credentials']],
    [
      ['ssm', 'lambda'],
      ['concurrency', 'parameters'],
    ],
  ] as const)('end with a time limit: %s', async (services, subjects) => {
    for (const service of services) cloud.account.silent.add(service);

    const { findings } = await checkDeployment(createPlan());

    const failed = findings.filter(({ state }) => state === 'failed');
    expect(failed.map(({ subject }) => subject)).toEqual(subjects);
    for (const { text } of failed) expect(text).toMatch(/^no answer within [\d.]+ s$/);
  });

  it('end with a time limit: the cache', async () => {
    const silent = await serveRaw(() => {});
    put('UPSTASH_REDIS_REST_URL', silent.url);

    const { Upstash } = await findFaults().finally(() => silent.stop());

    expect(Upstash).toMatchObject({ state: 'failed', text: 'no answer in 1500 ms' });
  });
});

describe('a cache that is not fit', () => {
  const answerWith = async (replies: unknown[][]) => {
    const double = await serve(() => ({ body: replies.shift() }));
    put('UPSTASH_REDIS_REST_URL', double.url);
    return (await findFaults().finally(() => double.stop())).Upstash;
  };

  it('takes no writes with a token for reading', async () => {
    const finding = await answerWith([
      [{ result: 'PONG' }, { error: `NOPERM this user may not run 'set' with ${token}` }],
    ]);

    expect(finding?.text).toContain('NOPERM');
  });

  it('reads old values from a replica', async () => {
    const finding = await answerWith([[{ result: 'PONG' }, { result: 'OK' }], [{ result: null }]]);

    expect(finding?.text).toContain('read replicas');
  });
});

describe('a cache that fails before a deployment', () => {
  it('is printed and stops nothing, but fails the check alone', async () => {
    put('UPSTASH_REDIS_REST_TOKEN', 'another');
    const print = jest.spyOn(console, 'log').mockImplementation(() => {});

    await assertDeployable(createPlan(), false);

    expect(String(print.mock.calls)).toContain('FAILED     Upstash');
    await expect(assertDeployable(createPlan(), true)).rejects.toThrow('because of: Upstash.');
  });
});

describe('the concurrency of a small account', () => {
  it('is not reserved if the deployment may choose', async () => {
    cloud.account.concurrency = { quota: 10, unreserved: 10 };
    jest.spyOn(console, 'log').mockImplementation(() => {});

    await assertDeployable(createPlan(), false);

    expect(process.env.CONCURRENCY_FACTOR).toBe('0');
  });

  it('is kept by functions that have reserved it before', async () => {
    cloud.account.concurrency = { quota: 190, unreserved: 120 };
    cloud.account.reserved.set('backend-prod-login', 50).set('backend-prod-register', 20);

    const { settings } = await checkDeployment(createPlan());

    expect(settings).toEqual({});
  });

  it.each([
    [170, {}],
    [169, { CONCURRENCY_FACTOR: '0' }],
  ])('leaves 100 of %i', async (quota, expected) => {
    cloud.account.concurrency = { quota, unreserved: quota };

    expect((await checkDeployment(createPlan())).settings).toEqual(expected);
  });

  it('is reserved as before if the quota may not be read', async () => {
    cloud.account.refusals.set('lambda', 'AccessDeniedException');

    const { findings, settings } = await checkDeployment(createPlan());

    expect(findings.find(({ subject }) => subject === 'concurrency')).toMatchObject({ state: 'warning' });
    expect(settings).toEqual({});
  });
});

describe('PUBLIC_URL', () => {
  const url = 'https://api.example.com';
  const judge = async (plan: Plan) => {
    const { findings, settings } = await checkDeployment(plan);
    return { finding: findings.find(({ subject }) => subject.includes('PUBLIC_URL')), settings };
  };

  it('is the URL of the HTTP API by default', async () => {
    const { finding, settings } = await judge(createPlan());

    expect(finding?.text).toContain('output PublicUrl of backend-core-prod');
    expect(settings).toEqual({});
  });

  it('stays the parameter of a stage that has one', async () => {
    put('PUBLIC_URL', url);

    const { finding, settings } = await judge(createPlan());

    expect(finding).toMatchObject({ state: 'ok', text: expect.stringContaining(url) });
    expect(settings).toEqual({ PUBLIC_URL: 'parameter' });
  });

  it('does not change by packages that were built without it', async () => {
    put('PUBLIC_URL', url);

    const { finding } = await judge(createPlan({ isBuilt: true }));

    expect(finding).toMatchObject({
      state: 'failed',
      command: expect.stringContaining('PUBLIC_URL=parameter'),
    });
  });

  it('is refused if the deployment and the parameter differ', async () => {
    put('PUBLIC_URL', `${url}/`);

    expect((await judge(createPlan({}, { PUBLIC_URL: url }))).finding).toMatchObject({ state: 'ok' });
    const { finding } = await judge(createPlan({}, { PUBLIC_URL: 'https://other.example.com' }));
    expect(finding).toMatchObject({ state: 'failed', command: expect.stringContaining('delete-parameter') });
  });

  it('is refused without encryption, and as a parameter that is not a URL', async () => {
    const { finding } = await judge(createPlan({}, { PUBLIC_URL: 'http://localhost:3000' }));
    expect(finding).toMatchObject({ state: 'failed' });

    put('PUBLIC_URL', 'example.com');
    expect((await judge(createPlan())).finding).toMatchObject({ state: 'failed' });
  });
});
