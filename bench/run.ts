import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '#functions/generate.ts';
import { listBroken } from './bounds.ts';
import { measureGrowth } from './growth/measure-growth.ts';
import { listUnbounded, renderGrowth } from './growth/report.ts';
import { measure } from './measure.ts';
import { describeMachine, renderResult } from './report.ts';
import { startStack } from './stack.ts';

// `npm run bench`: measures functions, what they read of small and large tables, and rich text; ends with 1
// when they break a promise.
//   --rounds N   fresh processes of each handler, 40 by default; 0 leaves times and round trips out
//   --growth N   users and files of the larger table, 100000 by default; 0 leaves the reads out
//   --json       the results as one JSON document

const root = resolve(import.meta.dirname, '..');
const warmInvocations = 2000;

async function run(rounds: number, many: number, isJson: boolean): Promise<void> {
  const manifest = await generate(root);
  const stack = await startStack(manifest);
  try {
    const options = { rounds, invocations: warmInvocations };
    const results = rounds > 0 ? await measure(root, stack, options) : [];
    // Last: it fills the table.
    const growth = many > 0 ? await measureGrowth(root, stack, many) : [];
    const broken = [...results.flatMap(listBroken), ...listUnbounded(growth)];
    const machine = describeMachine();
    if (isJson) console.log(JSON.stringify({ ...machine, rounds, results, growth, broken }, null, 2));
    else {
      console.log(`npm run bench -- --rounds ${rounds} --growth ${many}`);
      console.log(`Node ${machine.node}, ${machine.cores} × ${machine.cpu}\n`);
      console.log(
        [...results.map(renderResult), ...(growth.length > 0 ? [renderGrowth(growth)] : [])].join('\n\n'),
      );
      console.log(broken.length === 0 ? '\nEvery bound holds.' : `\nBroken:\n${broken.join('\n')}`);
    }
    if (broken.length > 0) process.exitCode = 1;
    // It prints by itself, and ends with 1 where rich text takes more than its share.
    if (!isJson && rounds > 0) await import('./media.ts');
  } finally {
    await stack.stop();
  }
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    growth: { type: 'string', default: '100000' },
    json: { type: 'boolean', default: false },
  },
});
const [rounds = -1, many = -1] = [values.rounds, values.growth].map(Number);
if (![rounds, many].every((count) => Number.isInteger(count) && count >= 0)) {
  console.error('--rounds and --growth take whole numbers from 0');
  process.exit(2);
}
await run(rounds, many, values.json);
