// A function's process from its start to its first answer. JavaScript, so that no type stripping is measured.
// Arguments: the bundle's URL, the file of the invocation. The measurement goes to file descriptor 3.

// The platform's runtime client has loaded it before the function is.
process.getBuiltinModule('node:http');
const { readFileSync, writeSync } = process.getBuiltinModule('node:fs');

const [bundle, invocationFile] = process.argv.slice(2);
const { event, context } = JSON.parse(readFileSync(invocationFile, 'utf8'));
context.getRemainingTimeInMillis = () => 20_000;

const startedAt = performance.now();
const { handler } = await import(bundle);
const importedAt = performance.now();
const { statusCode } = await handler(event, context);
const answeredAt = performance.now();
const { user, system } = process.cpuUsage();

const measurement = {
  statusCode,
  /** Since the process began, in milliseconds. */
  processMs: answeredAt,
  importMs: importedAt - startedAt,
  handlerMs: answeredAt - importedAt,
  cpuMs: (user + system) / 1000,
  residentBytes: process.memoryUsage.rss(),
};
writeSync(3, JSON.stringify(measurement));
process.exit(0);
