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

/** Whether {@link useEnvironment} has an installation to select. @throws EnvironmentError for an invalid variable */
export function hasInstallation(): boolean {
  loadEnvFile();
  return Boolean(process.env.TABLE_NAME) || findStack(readDataDir()) !== undefined;
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

/**
 * Selects the stores of the running local server, and only those: for commands that no other installation may run.
 *
 * @throws EnvironmentError if no local server runs, if the environment selects another installation, or if the server
 *   has its table on AWS
 */
export function useLocalServer(): void {
  loadEnvFile();
  const dataDir = readDataDir();
  const stack = findStack(dataDir);
  const { TABLE_NAME, AWS_LAMBDA_RUNTIME_API } = process.env;
  const isOther = TABLE_NAME !== undefined && TABLE_NAME !== '' && TABLE_NAME !== stack?.TABLE_NAME;
  if (AWS_LAMBDA_RUNTIME_API !== undefined) throw new EnvironmentError(`${localOnly}: this one is deployed`);
  if (isOther) throw new EnvironmentError(`${localOnly}: the environment selects another one (TABLE_NAME)`);
  if (!stack)
    throw new EnvironmentError(`${localOnly}: start it with npm start, no server runs on ${dataDir}`);
  const { hostname = '' } = URL.parse(stack.DYNAMODB_ENDPOINT ?? '') ?? {};
  if (hostname === '' || /(?:^|\.)(?:amazonaws\.com(?:\.cn)?|api\.aws)$/.test(hostname))
    throw new EnvironmentError(`${localOnly}: its table is on AWS (DYNAMODB_ENDPOINT)`);
  Object.assign(process.env, stack);
}

const localOnly = 'This command is only for the installation of a local server';
