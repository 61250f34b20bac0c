import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { goBack } from '#cli/deploy/back.ts';
import { createTempDir } from '../../../support/local-server.ts';
import { useCloud } from '../../../support/use-cloud.ts';
import { createDeploy, deployContents, readRunning, region, type stacks, stage } from './stage-double.ts';

// Thousands of requests.
jest.setTimeout(300_000);

const cloud = useCloud();
let root: string;

beforeEach(() => {
  root = createTempDir();
});

type Contents = Partial<Record<(typeof stacks)[number], string>>;
const deploy = (contents: Contents, schema = 2) => deployContents(root, cloud, { contents, schema });
const back = (...chosen: string[]) =>
  goBack({
    region,
    stage,
    chosen: chosen.length > 0 ? chosen : undefined,
    projectRoot: root,
    deploy: createDeploy(root, cloud),
  });
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
      () => deploy({ core: '1', aggregate: '1' }),
      () => deploy({ core: '2', aggregate: '2' }),
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
      () => deploy({ core: '1', aggregate: '1' }),
      async () => {
        await deploy({ core: '2', aggregate: '2' });
        await back();
        expect(readRunning(cloud)).toMatchObject({ core: '1', aggregate: '1' });
      },
    );

    expect(steps).toBeGreaterThan(15);
  });

  it('of a rollback at any request is finished by the same command', async () => {
    const steps = await interruptEverywhere(
      async () => {
        await deploy({ core: '1', aggregate: '1' });
        await deploy({ core: '2', aggregate: '2' });
      },
      // A rollback whose last answer was lost has ended: the repetition would go forward.
      async () => {
        const { core, aggregate } = readRunning(cloud);
        if (core === '1' && aggregate === '1' && isLastDone()) return;
        await back();
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
