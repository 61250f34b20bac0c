import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { flows } from './flows/all.ts';
import { lookUpThenAnswer } from './flows/chats.ts';
import { fileFlows } from './flows/files.ts';
import { findLeftovers, findViolations } from './invariants/check.ts';
import { type MatrixOutcome, runMatrix } from './matrix/run-matrix.ts';
import { decideByRun } from './world/run.ts';
import { startWorld, type World } from './world/world.ts';

/** `FAULT_FULL=1` runs every combination, which takes long. On a busy machine the others take minutes too. */
const limitMs = process.env.FAULT_FULL === '1' ? 3_600_000 : 900_000;

let world: World;

beforeAll(async () => {
  world = await startWorld(decideByRun);
  world.provider.script(lookUpThenAnswer);
});
afterAll(() => world.stop());

describe.each([
  ['with files on the disk of the service', 'local', flows, undefined],
  ['with files in a cloud', 'aliyun', fileFlows, 'engine'],
] as const)('a fault at any step, %s', (_title, engine, all, store) => {
  let outcome: MatrixOutcome;

  beforeAll(async () => {
    await world.saveSettings('storage', { default: engine });
    outcome = await runMatrix(world, all, store);
  }, limitMs);

  test('reaches every flow at every store', () => {
    expect(outcome.stores).toEqual(store ? [store] : ['cache', 'database', 'provider']);
    expect(outcome.cases).toBeGreaterThan(all.length * 8);
  });

  test('loses nothing that was acknowledged, and answers truthfully', () => {
    expect(outcome.problems).toEqual([]);
  });

  test(
    'leaves no record half written',
    async () => {
      expect(await findViolations(world)).toEqual([]);
    },
    limitMs,
  );

  test(
    'leaves nothing that the clean-up does not find',
    async () => {
      expect(await findLeftovers(world)).toEqual([]);
    },
    limitMs,
  );
});
