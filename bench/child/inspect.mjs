// Invokes a bundle once and reports which files and which of Node's own modules it loaded.
// Arguments: the bundle's URL, the file of the invocation. The findings go to file descriptor 3.

process.getBuiltinModule('node:http');
const { readFileSync, writeSync } = process.getBuiltinModule('node:fs');
const { registerHooks } = process.getBuiltinModule('node:module');

const [bundle, invocationFile] = process.argv.slice(2);
const { event, context } = JSON.parse(readFileSync(invocationFile, 'utf8'));
context.getRemainingTimeInMillis = () => 20_000;

const files = [];
registerHooks({
  load(url, loadContext, nextLoad) {
    files.push(url);
    return nextLoad(url, loadContext);
  },
});

const { handler } = await import(bundle);
const answer = await handler(event, context);
const { statusCode } = answer;
const body = answer.isBase64Encoded ? Buffer.from(answer.body, 'base64').toString() : answer.body;
const isUndiciLoaded = process.moduleLoadList.includes('NativeModule internal/deps/undici/undici');
writeSync(3, JSON.stringify({ node: process.version, statusCode, body, files, isUndiciLoaded }));
process.exit(0);
