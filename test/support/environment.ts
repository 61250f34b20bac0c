import { randomBytes } from 'node:crypto';

// Imported before sources that read the environment. Existing variables stay; the others get
// values that are unique for each run, so that no test depends on one.

const secret = () => randomBytes(32).toString('hex');

const defaults: Record<string, string> = {
  APP_KEY: secret(),
  TABLE_NAME: `test-${secret().slice(0, 12)}`,
  // The discard port: requests that a unit test does not mock fail at once.
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
  AWS_REGION: 'local',
  UPSTASH_REDIS_REST_TOKEN: secret(),
  PUBLIC_URL: 'http://localhost:3000',
  LOG_LEVEL: 'error',
};

for (const [name, value] of Object.entries(defaults)) process.env[name] ||= value;
