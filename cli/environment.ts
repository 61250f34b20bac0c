import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkEnvironment } from '#shared/config/check-environment.ts';
import { EnvironmentError, environment } from '#shared/config/environment.ts';
import { findStack } from './local/data-directory.ts';
import { readDataDir, root } from './project.ts';

/**
 * Reads `.env` if it exists, and checks the environment. A variable that is set already stays.
 *
 * @throws EnvironmentError naming the first variable that does not fit
 */
export function loadEnvFile(): void {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  checkEnvironment(process.env);
}

/**
 * Points a command at the stores of the environment, else at those of the running local server.
 *
 * @throws EnvironmentError naming what is missing if there are neither
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
    throw new EnvironmentError(
      `${error.message}, or run npm start beside this, whose stores are used then: no server runs on ${dataDir}`,
    );
  }
}
