import { describe, expect, test } from '@jest/globals';
import { EnvironmentError, readEnvironment } from '#shared/config/environment.ts';

const key = 'k'.repeat(32);
const complete = {
  APP_KEY: key,
  TABLE_NAME: 'backend',
  UPSTASH_REDIS_REST_URL: 'https://cache.example.com',
  UPSTASH_REDIS_REST_TOKEN: 'token',
  PUBLIC_URL: 'https://example.com',
};

function refusalOf(changes: Record<string, string | undefined>): unknown {
  try {
    return readEnvironment({ ...complete, ...changes });
  } catch (error) {
    return error;
  }
}

describe('readEnvironment', () => {
  test('reads required variables and sets defaults', () => {
    expect(readEnvironment(complete)).toMatchObject({
      appKeys: [key],
      tableName: 'backend',
      dynamodbEndpoint: undefined,
      redisUrl: 'https://cache.example.com',
      redisToken: 'token',
      publicUrl: 'https://example.com',
      logLevel: 'info',
    });
  });

  test('reads optional variables', () => {
    const read = readEnvironment({
      ...complete,
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000',
      LOG_LEVEL: 'debug',
    });

    expect(read).toMatchObject({ dynamodbEndpoint: 'http://127.0.0.1:8000', logLevel: 'debug' });
  });

  test.each(Object.keys(complete))('names %s when it is missing or empty', (name) => {
    for (const value of [undefined, '']) {
      const refusal = refusalOf({ [name]: value });

      expect(refusal).toBeInstanceOf(EnvironmentError);
      expect(refusal).toMatchObject({ message: `${name} is not set: see .env.example` });
    }
  });

  test('reads a list of keys in its order', () => {
    const other = 'o'.repeat(40);

    expect(readEnvironment({ ...complete, APP_KEY: `${key} , ${other}` }).appKeys).toEqual([key, other]);
  });

  test.each(['short', `${key},`, `${key},short`, 'k'.repeat(31), ','])(
    'refuses the key list %j without showing it',
    (APP_KEY) => {
      const refusal = refusalOf({ APP_KEY });

      expect(refusal).toMatchObject({ message: 'APP_KEY: each key needs at least 32 characters' });
    },
  );

  test.each(['secret\n', 'two words', '密'])('refuses a token that is invalid in a header: %j', (value) => {
    expect(refusalOf({ UPSTASH_REDIS_REST_TOKEN: value })).toMatchObject({
      message: 'UPSTASH_REDIS_REST_TOKEN holds more than printable ASCII',
    });
  });

  test.each(['UPSTASH_REDIS_REST_URL', 'PUBLIC_URL', 'DYNAMODB_ENDPOINT', 'AWS_ENDPOINT_URL_DYNAMODB'])(
    'accepts only an http(s) URL for %s',
    (name) => {
      for (const value of [
        'example.com',
        'localhost:8000',
        'ftp://example.com',
        '//example.com',
        'not a url',
      ]) {
        expect(refusalOf({ [name]: value })).toMatchObject({
          message: `${name} is "${value}": it takes an http(s) URL`,
        });
      }
    },
  );

  test.each([
    ['HTTPS://Admin.Example.com:443/', 'https://admin.example.com'],
    ['http://localhost:3000//', 'http://localhost:3000'],
  ])('writes the URL %s as clients do', (PUBLIC_URL, publicUrl) => {
    expect(readEnvironment({ ...complete, PUBLIC_URL })).toMatchObject({ publicUrl });
  });

  test.each(['loud', 'INFO', 'constructor'])('refuses the log level %s and names the valid ones', (level) => {
    const refusal = refusalOf({ LOG_LEVEL: level });

    expect(refusal).toMatchObject({ message: `LOG_LEVEL is "${level}": it takes debug, info, warn, error` });
  });
});
