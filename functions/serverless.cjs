// osls reads CommonJS and JSON in ${file(…)}; Node strips the types of what this one requires.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

// Most of the time of `print` and `info` is reading sources.
enableCompileCache(process.env.NODE_COMPILE_CACHE || join(__dirname, '..', '.build', 'compile-cache'));

const { describeService, serviceName } = require('./serverless.ts');

const read = (property) => async (variables) => (await describeService(variables))[property];

module.exports = {
  service: serviceName(),
  functions: read('functions'),
  provider: read('provider'),
  resources: read('resources'),
};
