import { describe, expect, it } from '@jest/globals';
import {
  describePublicUrl,
  readSecretOptions,
  referParameter,
  referSecret,
} from '#functions/stacks/deployment.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { foundRoute } from '../fixtures.ts';

const key = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

describe('readSecretOptions', () => {
  it('names neither a secret nor a key by default, also for empty variables', () => {
    expect(readSecretOptions({ SECRET_ID: '', FUNCTIONS_KMS_KEY_ARN: '' })).toEqual({});
  });

  it.each(['backend/prod', 'arn:aws-cn:secretsmanager:cn-north-1:111122223333:secret:backend/prod-a1B2c3'])(
    'takes the secret %s and a key',
    (secretId) => {
      const options = readSecretOptions({ SECRET_ID: secretId, FUNCTIONS_KMS_KEY_ARN: key });

      expect(options).toEqual({ secretId, kmsKeyArn: key });
    },
  );

  it.each([
    ['SECRET_ID', 'backend}}{{resolve:ssm:/other'],
    ['SECRET_ID', 'a:b'],
    ['SECRET_ID', 'has space'],
    ['FUNCTIONS_KMS_KEY_ARN', 'alias/backend'],
    ['FUNCTIONS_KMS_KEY_ARN', key.replace('key/', 'alias/')],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readSecretOptions({ [name]: value })).toThrow(`${name} is "${value}"`);
  });
});

describe('the reference to a secret', () => {
  it('is a parameter of the stage by default', () => {
    expect(referSecret('prod', 'APP_KEY', {})).toBe('{{resolve:ssm:/backend/prod/APP_KEY}}');
    expect(referParameter('prod', 'PUBLIC_URL')).toBe('{{resolve:ssm:/backend/prod/PUBLIC_URL}}');
  });

  it("is a key of the deployment's secret", () => {
    const secretId = 'backend/prod';

    expect(referSecret('prod', 'APP_KEY', { secretId })).toBe(
      '{{resolve:secretsmanager:backend/prod:SecretString:APP_KEY}}',
    );
  });
});

describe('PUBLIC_URL of the functions', () => {
  const article = { stage: 'prod', stack: 'article' };

  it("is the HTTP API's own URL by default, imported by other stacks than its own", () => {
    for (const stack of ['core', 'all']) {
      expect(describePublicUrl({ stage: 'prod', stack }, { PUBLIC_URL: '' })).toEqual({
        'Fn::GetAtt': ['HttpApi', 'ApiEndpoint'],
      });
    }
    expect(describePublicUrl(article, {})).toEqual({ 'Fn::ImportValue': 'backend-prod-PublicUrl' });
  });

  it('is the URL that the deployment names, or the parameter', () => {
    const url = 'https://api.example.com';

    expect(describePublicUrl(article, { PUBLIC_URL: url })).toBe(url);
    expect(describePublicUrl(article, { PUBLIC_URL: 'parameter' })).toBe(
      '{{resolve:ssm:/backend/prod/PUBLIC_URL}}',
    );
  });

  it.each(['example.com', 'parameters', '{{resolve:ssm:/other}}'])('refuses %s', (PUBLIC_URL) => {
    expect(() => describePublicUrl(article, { PUBLIC_URL })).toThrow('PUBLIC_URL');
  });
});

describe('the key of the functions', () => {
  const sources = { routes: [foundRoute()], jobs: [] };

  it("encrypts every function's environment", () => {
    const functions = Object.values(createFunctionMap(sources, 'prod', { kmsKeyArn: key }));

    expect(functions).toHaveLength(2);
    for (const { kmsKeyArn } of functions) expect(kmsKeyArn).toBe(key);
  });

  it("is the account's key by default", () => {
    for (const definition of Object.values(createFunctionMap(sources, 'prod'))) {
      expect(definition).not.toHaveProperty('kmsKeyArn');
    }
  });
});
