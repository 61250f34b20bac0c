// Sequential invocations of several bundles in one process, in alternating blocks.
// Arguments: JSON of { bundles, invocationFile, blocks, blockSize }. Durations in milliseconds go to the parent.

process.getBuiltinModule('node:http');
const { readFileSync } = process.getBuiltinModule('node:fs');

const { bundles, invocationFile, blocks, blockSize } = JSON.parse(process.argv[2]);
const text = readFileSync(invocationFile, 'utf8');
const handlers = [];
for (const bundle of bundles) handlers.push((await import(bundle)).handler);

async function invoke(handler) {
  const { event, context } = JSON.parse(text);
  context.getRemainingTimeInMillis = () => 20_000;
  const startedAt = performance.now();
  const { statusCode } = await handler(event, context);
  const durationMs = performance.now() - startedAt;
  if (statusCode !== 200) throw new Error(`a warm invocation answered ${statusCode}`);
  return durationMs;
}

async function runBlocks(count) {
  const durations = handlers.map(() => []);
  for (let block = 0; block < count; block++) {
    for (const [index, handler] of handlers.entries()) {
      for (let turn = 0; turn < blockSize; turn++) durations[index].push(await invoke(handler));
    }
  }
  return durations;
}

// Until the code is optimised nothing is counted.
await runBlocks(3);
const durations = await runBlocks(blocks);
process.send(durations, () => process.exit(0));
