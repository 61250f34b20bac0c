// osls reads only CommonJS and JSON in ${file(…)}.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

// `print` and `info` spend most of their time on reading sources.
enableCompileCache(process.env.NODE_COMPILE_CACHE || join(__dirname, '..', '.build', 'compile-cache'));

const { describeService, serviceName } = require('./serverless.ts');

const read = (property) => async (variables) => (await describeService(variables))[property];

module.exports = {
  service: serviceName(),
  functions: read('functions'),
  provider: read('provider'),
  resources: read('resources'),
};
