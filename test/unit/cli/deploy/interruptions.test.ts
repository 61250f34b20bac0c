import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTempDir } from '../../../support/local-server.ts';
import { useCloud } from '../../../support/use-cloud.ts';
import { deployContents, readRunning, rollBack } from './stage-double.ts';

// Thousands of requests.
jest.setTimeout(300_000);

const cloud = useCloud();
let root: string;

beforeEach(() => {
  root = createTempDir();
});

const deploy = (content: string) =>
  deployContents(root, cloud, { contents: { core: content, aggregate: content }, schema: 2 });
const back = () => rollBack(root, cloud);

describe('an interruption', () => {
  /** Cuts the connection at the request with a number, counted over all requests to AWS. */
  const interruptAt = (at: number, kind: 'before' | 'after') => {
    let count = 0;
    cloud.interrupt = () => (count++ >= at ? (count - 1 === at ? kind : 'before') : undefined);
    return () => count <= at;
  };

  /** Runs a step with an interruption at each request, until it runs through. */
  async function interruptEverywhere(
    prepare: () => Promise<void>,
    step: () => Promise<void>,
    verify: () => Promise<void> | void,
  ): Promise<number> {
    for (let at = 0; ; at++) {
      for (const kind of ['before', 'after'] as const) {
        cloud.empty();
        await prepare();
        const isComplete = interruptAt(at, kind);
        await step().catch(() => {});
        const isDone = isComplete();
        cloud.interrupt = undefined;
        await step();
        await verify();
        if (isDone) return at;
      }
    }
  }

  it('of a deployment at any request ends in the same state after a repetition, and can go back', async () => {
    const steps = await interruptEverywhere(
      () => deploy('1'),
      () => deploy('2'),
      async () => {
        expect(readRunning(cloud)).toMatchObject({ core: '2', aggregate: '2' });
        await back();
        expect(readRunning(cloud)).toMatchObject({ core: '1', aggregate: '1' });
      },
    );

    expect(steps).toBeGreaterThan(15);
  });

  it('of a first deployment leaves one that can be repeated, and later go back', async () => {
    const steps = await interruptEverywhere(
      async () => {},
      () => deploy('1'),
      async () => {
        await deploy('2');
        await back();
        expect(readRunning(cloud)).toMatchObject({ core: '1', aggregate: '1' });
      },
    );

    expect(steps).toBeGreaterThan(15);
  });

  it('of a rollback at any request is finished by the same command', async () => {
    const steps = await interruptEverywhere(
      async () => {
        await deploy('1');
        await deploy('2');
      },
      // A rollback whose last answer was lost has ended: the repetition would go forward.
      async () => {
        const { core, aggregate } = readRunning(cloud);
        if (core !== '1' || aggregate !== '1' || !isLastDone()) await back();
      },
      () => expect(readRunning(cloud)).toMatchObject({ core: '1', aggregate: '1' }),
    );

    expect(steps).toBeGreaterThan(15);
  });

  const isLastDone = () =>
    /"state": "done"[^[\]]*\]\s*$/.test(
      String(cloud.objects.get('backend-core-prod-bucket/history.json')?.body ?? ''),
    );
});
