import { createRequire, Module } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Loaded into the processes of a test's server before anything else (`node --import`): without it a start takes more
// than twice the time. A start by npm is as users have it.

// Hashing a password is slow on purpose.
const file = join(process.cwd(), 'shared', 'auth', 'password.ts');
const { currentCost }: typeof import('#shared/auth/password.ts') = await import(pathToFileURL(file).href);
currentCost.ln = 11;

// A run that is ended by a signal stops no servers.
const { TEST_RUN } = process.env;
if (TEST_RUN) {
  const look = () => {
    try {
      process.kill(Number(TEST_RUN), 0);
    } catch {
      process.kill(process.pid, 'SIGINT');
    }
  };
  setInterval(look, 2000).unref();
}

const require = createRequire(join(process.cwd(), 'package.json'));

// The plugin that bundles for a deployment is not needed here.
const bundler = new Module(require.resolve('serverless-esbuild'));
Object.assign(bundler, { exports: class {}, loaded: true });
require.cache[bundler.id] = bundler;

// The framework checks serverless.yml by eight megabytes of code, which it compiles at every start.
const schemas = require('serverless/lib/classes/config-schema-handler');
schemas.prototype.validateConfig = async () => {};
