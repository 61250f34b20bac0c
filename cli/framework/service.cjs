// osls reads only CommonJS and JSON in ${file(…)}.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

// `print` and `info` spend most of their time on reading sources.
enableCompileCache(process.env.NODE_COMPILE_CACHE || join(__dirname, '..', '..', '.build', 'compile-cache'));

const { serviceName } = require('../../functions/names.ts');
const { refuseWithoutCredentials } = require('./no-credentials.ts');

let isAllowed;

const read = (property) => async (variables) => {
  isAllowed ??= refuseWithoutCredentials(process.argv.slice(2), process.env);
  await isAllowed;
  // Reading the sources takes seconds, with many modules a minute.
  const { describeService } = require('../../functions/serverless.ts');
  return (await describeService(variables))[property];
};

module.exports = {
  service: process.env.MODULE ? `${serviceName}-${process.env.MODULE}` : serviceName,
  functions: read('functions'),
  provider: read('provider'),
  resources: read('resources'),
};
