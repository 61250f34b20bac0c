import { resolve } from 'node:path';
import { createProgram } from '#cli/command.ts';
import { generate } from '#functions/generate.ts';
import { numberAbove0, wholeNumber } from '../../support/numbers.ts';
import { flows } from '../flows/all.ts';
import { lookUpThenAnswer } from '../flows/chats.ts';
import { createRandom } from '../world/random.ts';
import { startWorld } from '../world/world.ts';
import { createCrowd } from './crowd.ts';
import { soak } from './soak.ts';
import { createWeather } from './weather.ts';

const summary =
  'Runs mixed load on every flow while stores, storage engine and provider fail in turn, then checks everything ' +
  'that was acknowledged and the whole table. Ends with 1 if anything is wrong.';
const { minutes, seed } = createProgram('npm run soak', summary)
  .option('--minutes <N>', 'how long', numberAbove0, 10)
  .option(
    '--seed <N>',
    'repeats the random choices; what happens at the same time still differs',
    wholeNumber(0),
    1,
  )
  .parse()
  .opts();

await generate(resolve(import.meta.dirname, '..', '..', '..'));
const weather = createWeather(createRandom(`weather ${seed}`));
const world = await startWorld(weather.decide);
try {
  world.provider.script(lookUpThenAnswer);
  const report = (line: string) => console.log(line);
  const random = createRandom(`load ${seed}`);
  const all = [...flows, ...(await createCrowd())];
  const problems = await soak(world, weather, { minutes, random, flows: all, report });
  for (const problem of problems.slice(0, 50)) console.log(`wrong: ${problem}`);
  console.log(problems.length === 0 ? 'nothing was wrong' : `${problems.length} things were wrong`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await world.stop();
}
