import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createProgram } from '#cli/command.ts';
import { root } from '#cli/project.ts';
import { generate } from '#functions/generate.ts';
import { wholeNumber } from '../support/numbers.ts';
import { findFault } from './check/find-fault.ts';
import { type Ground, prepareGround } from './ground.ts';
import type { HostileRequest } from './request.ts';
import { runHostile } from './run-hostile.ts';
import { send } from './send.ts';
import { runWire } from './wire/run-wire.ts';
import { startServer } from './wire/start-server.ts';

const summary =
  'Sends generated requests to every route, good and broken ones, and checks the answers. Ends with 1 if one is wrong.';
const values = createProgram('npm run hostile', summary)
  .option('--seed <N>', 'repeats the requests of an earlier run; at random without it', wholeNumber(0))
  .option('--count <N>', 'how many requests go to the functions of this process', wholeNumber(0), 20_000)
  .option('--wire <N>', 'how many requests go to a local server over HTTP', wholeNumber(0), 400)
  .option('--all', 'go on after the first wrong answer')
  .option('--replay <FILE>', 'send the requests of a JSON file, and show the answers')
  .parse()
  .opts();
const seed = values.seed ?? randomInt(2 ** 31);

/** Most requests go to the functions of this process. */
async function runHere(ground: Ground): Promise<boolean> {
  const outcome = await runHostile(ground, { seed, count: values.count, isGoingOn: values.all });
  for (const fault of outcome.faults) console.log(`\n${fault}`);
  if (outcome.failing) console.log(`\nFor --replay:\n${JSON.stringify(outcome.failing)}`);
  console.log(`\n${outcome.summary}`);
  return outcome.faults.length === 0;
}

/** Some go to the local server over HTTP. */
async function runOverHttp(count: number): Promise<boolean> {
  const server = await startServer();
  try {
    const { faults, answered, refusedBefore } = await runWire(server, { seed, count });
    for (const fault of faults) console.log(`\nover HTTP: ${fault}`);
    console.log(`over HTTP: ${answered} answered, ${refusedBefore} refused by the gateway`);
    return faults.length === 0;
  } finally {
    await server.stop();
  }
}

/** Sends the requests of a file, one or a list, and shows what they get. */
async function replay({ functions, world, contract }: Ground, file: string): Promise<boolean> {
  const requests: HostileRequest[] = [JSON.parse(readFileSync(file, 'utf8'))].flat();
  let isGood = true;
  for (const request of requests) {
    const exchanged = await send(request, functions, world);
    const { status, headers, body } = exchanged.answer;
    const fault = findFault(contract, exchanged);
    console.log(status, headers, body.toString().slice(0, 2000), fault ?? 'as documented');
    isGood &&= fault === undefined;
  }
  return isGood;
}

if (!values.replay) console.log(`seed ${seed}`);
await generate(root);
const ground = await prepareGround();
let isGood = false;
try {
  isGood = values.replay ? await replay(ground, values.replay) : await runHere(ground);
} finally {
  await ground.stop();
}
if (!values.replay && values.wire > 0) isGood = (await runOverHttp(values.wire)) && isGood;
process.exitCode = isGood ? 0 : 1;
