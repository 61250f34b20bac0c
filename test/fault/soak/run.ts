import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '#functions/generate.ts';
import { flows } from '../flows/all.ts';
import { lookUpThenAnswer } from '../flows/chats.ts';
import { createRandom } from '../world/random.ts';
import { startWorld } from '../world/world.ts';
import { createCrowd } from './crowd.ts';
import { soak } from './soak.ts';
import { createWeather } from './weather.ts';

// `npm run soak`: mixed load on every flow while stores, storage engine and provider fail in turn; then everything
// that was acknowledged and the whole table are looked at. Ends with 1 when anything is wrong.
//   --minutes N   10 by default
//   --seed N      of what is chosen, 1 by default; what happens at the same time still differs

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes and --seed are numbers');

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
