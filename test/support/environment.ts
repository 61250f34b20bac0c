import { randomBytes } from 'node:crypto';

// Imported before sources that read the environment. What a test run brings along stands; the rest gets
// values that no other run has, so that no test can come to depend on one.

const secret = () => randomBytes(32).toString('hex');

const defaults: Record<string, string> = {
  APP_KEY: secret(),
  TABLE_NAME: `test-${secret().slice(0, 12)}`,
  // The discard port: what a unit test does not fake is refused at once.
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
  AWS_REGION: 'local',
  UPSTASH_REDIS_REST_TOKEN: secret(),
  PUBLIC_URL: 'http://localhost:3000',
  LOG_LEVEL: 'error',
};

for (const [name, value] of Object.entries(defaults)) process.env[name] ||= value;
