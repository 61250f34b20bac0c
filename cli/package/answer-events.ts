import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { answeredBy, type Manifest } from '#functions/model.ts';
import { fallbackName } from '#functions/names.ts';
import { root } from '../project.ts';

/** The stores do not answer: functions must report that instead of failing. */
const environment = {
  AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9',
  AWS_REGION: 'eu-west-1',
  APP_KEY: 'x'.repeat(32),
  TABLE_NAME: 'table',
  DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
  UPSTASH_REDIS_REST_TOKEN: 'token',
  PUBLIC_URL: 'https://api.example.com',
  LOG_LEVEL: 'error',
};

/**
 * Loads the bundles of all functions in another process. There, functions of routes answer a recorded event.
 *
 * @param bundles path of the entry's bundle, by function name
 * @throws Error naming each function that does not load or answers wrongly
 */
export function answerEvents(
  { routes, jobs, listeners }: Manifest,
  bundles: ReadonlyMap<string, string>,
): number {
  const describe = (name: string, method?: string, path?: string) =>
    JSON.stringify({ file: bundles.get(name) ?? '', method, path });
  const asked = [
    describe(fallbackName, 'GET', '/nothing'),
    ...routes.map((found) => describe(answeredBy(found), found.route.method, found.path)),
  ];
  const loaded = [...jobs, ...listeners].map(({ functionName }) => describe(functionName));
  const args = [join(root, 'cli', 'package', 'answer-events.mjs'), ...asked, ...loaded];
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment, encoding: 'utf8' });
  if (status !== 0) throw new Error(`functions that do not answer:\n${stderr}`);
  return asked.length;
}
