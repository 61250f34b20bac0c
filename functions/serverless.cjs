// osls reads CommonJS and JSON in ${file(…)}; Node strips the types of what this one requires.
const { describeService, serviceName } = require('./serverless.ts');

const read = (property) => async (variables) => (await describeService(variables))[property];

module.exports = {
  service: serviceName(),
  functions: read('functions'),
  provider: read('provider'),
  resources: read('resources'),
};
