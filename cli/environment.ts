import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkEnvironment } from '#shared/config/check-environment.ts';
import { EnvironmentError, environment } from '#shared/config/environment.ts';
import { findStack } from './local/data-directory.ts';
import { readDataDir, root } from './project.ts';

/** Reads `.env`; variables that are already set keep their values. @throws EnvironmentError for an invalid variable */
export function loadEnvFile(): void {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  checkEnvironment(process.env);
}

/** Selects the stores of the environment, else of the running local server. @throws EnvironmentError without either */
export function useEnvironment(): void {
  loadEnvFile();
  const dataDir = readDataDir();
  const stack = process.env.TABLE_NAME ? undefined : findStack(dataDir);
  Object.assign(process.env, stack);
  try {
    environment();
  } catch (error) {
    if (stack || !(error instanceof EnvironmentError)) throw error;
    const advice = `start the local server with npm start: no server runs on ${dataDir} (DATA_DIR)`;
    throw new EnvironmentError(`${error.message}, or ${advice}`);
  }
}
