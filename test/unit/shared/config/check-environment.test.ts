import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkEnvironment, readPort } from '#shared/config/check-environment.ts';
import { EnvironmentError } from '#shared/config/environment.ts';

const wrong: [name: string, value: string][] = [
  ['PORT', 'abc'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['CONSOLE', 'no'],
  ['TZ_NAME', 'Mars/Olympus'],
  ['PUBLIC_URL', 'example.com'],
  ['PUBLIC_URL_ALIASES', 'ftp://example.com'],
  ['CORS_ORIGINS', 'https://example.com/page'],
  ['TABLE_NAME', 'my table'],
  ['DYNAMODB_ENDPOINT', '8000'],
  ['UPSTASH_REDIS_REST_URL', 'cache'],
  ['THROTTLE_FACTOR', 'many'],
  ['ALLOW_PRIVATE_ENDPOINTS', 'yes'],
  ['LOG_LEVEL', 'loud'],
  ['CACHE_PREFIX', 'a*'],
  ['S3_BUCKET', 'Files'],
];
const secret: [name: string, value: string][] = [
  ['APP_KEY', 'a-key'],
  ['UPSTASH_REDIS_REST_TOKEN', 'two words'],
  ['REDIS_URL', 'http://:password@localhost'],
];
/** Checked by their users: folders, the first administrator, and variables of deployments. */
const elsewhere =
  /^(DATA_DIR|STORAGE_(DIR|ACCESS_POINT_ARN|SUBNET_IDS|SECURITY_GROUP_IDS)|ADMIN_(ACCOUNT|PASSWORD)|TABLE|TABLE_STREAM_ARN|GATEWAY_(RATE|BURST)|CONCURRENCY_FACTOR|SECRET_ID|FUNCTIONS_KMS_KEY_ARN|EDGE(_(DOMAIN|CERTIFICATE_ARN|WEB_ACL_ARN|REVISION))?)$/;

function refusalOf(source: Record<string, string>): string {
  try {
    checkEnvironment(source);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
  }
  return 'taken';
}

describe('the environment of a start', () => {
  test('needs nothing', () => {
    expect(refusalOf({})).toBe('taken');
    expect(refusalOf({ PORT: '', TZ_NAME: '', REDIS_URL: '' })).toBe('taken');
  });

  test.each(wrong)('is refused for %s=%s, by name and value', (name, value) => {
    const message = refusalOf({ [name]: value, UPSTASH_REDIS_REST_TOKEN: 'token' });

    expect(message.startsWith(name)).toBe(true);
    expect(message).toContain(`"${value}"`);
  });

  test.each(secret)('is refused for a wrong %s, without its value', (name, value) => {
    const message = refusalOf({ [name]: value });

    expect(message.startsWith(name)).toBe(true);
    expect(message).not.toContain(value);
  });

  test('is refused for the address of a cache without its token', () => {
    const message = refusalOf({ UPSTASH_REDIS_REST_URL: 'https://cache.example.com' });

    expect(message).toMatch(/^UPSTASH_REDIS_REST_TOKEN is not set/);
  });

  test('is checked for every variable of .env.example', () => {
    const example = readFileSync(join(__dirname, '..', '..', '..', '..', '.env.example'), 'utf8');
    const names = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name = '']) => name);
    const checked = new Set([...wrong, ...secret].map(([name]) => name));

    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !checked.has(name) && !elsewhere.test(name))).toEqual([]);
  });
});

test('a port is 3000 by default, and may be 0', () => {
  expect([readPort(), readPort('0'), readPort('65535')]).toEqual([3000, 0, 65_535]);
  expect(() => readPort('x', '--httpPort')).toThrow('--httpPort is "x": it takes a whole number');
});
