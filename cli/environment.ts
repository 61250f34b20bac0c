import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkEnvironment } from '#shared/config/check-environment.ts';
import { EnvironmentError, environment } from '#shared/config/environment.ts';
import { findStack } from './local/data-directory.ts';
import { readDataDir, root } from './project.ts';

/**
 * Reads `.env` if it exists, and checks the environment. Variables that are already set keep their values.
 *
 * @throws EnvironmentError naming the first invalid variable
 */
export function loadEnvFile(): void {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  checkEnvironment(process.env);
}

/**
 * Selects the stores of the environment, else the stores of the running local server.
 *
 * @throws EnvironmentError naming the missing variable if no local server runs
 */
export function useEnvironment(): void {
  loadEnvFile();
  const dataDir = readDataDir();
  const stack = process.env.TABLE_NAME ? undefined : findStack(dataDir);
  Object.assign(process.env, stack);
  try {
    environment();
  } catch (error) {
    if (stack || !(error instanceof EnvironmentError)) throw error;
    const advice = `start the local server with npm start: no server runs on ${dataDir}`;
    throw new EnvironmentError(`${error.message}, or ${advice}`);
  }
}
