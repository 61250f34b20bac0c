// osls reads CommonJS and JSON in ${file(…)}; Node strips the types of what this one requires.
const serverless = require('./serverless.ts');

module.exports.functions = serverless.functions;
module.exports.provider = serverless.provider;
module.exports.resources = serverless.resources;
