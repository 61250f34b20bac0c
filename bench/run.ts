import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '#functions/generate.ts';
import { listBroken } from './bounds.ts';
import { measure } from './measure.ts';
import { describeMachine, renderResult } from './report.ts';
import { startStack } from './stack.ts';

// `npm run bench`: measures the dictionary's read functions; ends with 1 when they break a promise.
//   --rounds N   fresh processes of each handler, 40 by default
//   --json       the results as one JSON document

const root = resolve(import.meta.dirname, '..');
const warmInvocations = 2000;

async function run(rounds: number, isJson: boolean): Promise<void> {
  const manifest = await generate(root);
  const stack = await startStack(manifest);
  try {
    const results = await measure(root, stack, { rounds, invocations: warmInvocations });
    const broken = results.flatMap(listBroken);
    const machine = describeMachine();
    if (isJson) console.log(JSON.stringify({ ...machine, rounds, results, broken }, null, 2));
    else {
      console.log(`npm run bench -- --rounds ${rounds}`);
      console.log(`Node ${machine.node}, ${machine.cores} × ${machine.cpu}\n`);
      console.log(results.map(renderResult).join('\n\n'));
      console.log(broken.length === 0 ? '\nEvery bound holds.' : `\nBroken:\n${broken.join('\n')}`);
    }
    if (broken.length > 0) process.exitCode = 1;
  } finally {
    await stack.stop();
  }
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '40' }, json: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('--rounds takes a whole number from 1');
  process.exit(2);
}
await run(rounds, values.json);
