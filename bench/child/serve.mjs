// Invokes a bundle on each request of the parent, and reports how long it took and what it answered. Between two
// invocations the process waits for a socket, as the platform's runtime does.
// Arguments: the bundle's URL, the file of the invocation.

process.getBuiltinModule('node:http');
const { readFileSync } = process.getBuiltinModule('node:fs');

const [bundle, invocationFile] = process.argv.slice(2);
const text = readFileSync(invocationFile, 'utf8');
const { handler } = await import(bundle);

process.on('message', async () => {
  const { event, context } = JSON.parse(text);
  context.getRemainingTimeInMillis = () => 20_000;
  const startedAt = performance.now();
  const { statusCode, body } = await handler(event, context);
  process.send({ statusCode, body, durationMs: performance.now() - startedAt });
});
