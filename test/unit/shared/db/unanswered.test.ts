import '../../../support/environment.ts';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { serveRaw } from '../../../doubles/serve.ts';
import { inAnotherProcess } from '../../../support/database.ts';

type Items = typeof import('#shared/db/items.ts');

/** The outcome of a call. */
interface Ending {
  outcome: unknown;
  seconds: number;
}

// Three tries of three seconds each, and short pauses between them.
const boundSeconds = 12;

/** Every kind of call by name, for items of a partition. */
const calls: Record<string, (items: Items, pk: string) => Promise<unknown>> = {
  getItem: ({ getItem }, pk) => getItem({ pk, sk: 'a' }),
  getItems: ({ getItems }, pk) => getItems([{ pk, sk: 'a' }]),
  queryPartition: ({ queryPartition }, pk) => queryPartition(pk),
  updateItem: ({ updateItem }, pk) => updateItem({ Key: { pk, sk: 'a' }, UpdateExpression: 'REMOVE a' }),
  deleteItem: ({ deleteItem }, pk) => deleteItem({ pk, sk: 'a' }),
  transact: ({ transact }, pk) => transact([{ Put: { Item: { pk, sk: 'a' } } }]),
};
const names = Object.keys(calls);

/** The database below treats each partition in another way. */
const [unanswered, begun] = ['UNANSWERED', 'BEGUN'];

/** Starts a database that accepts every request, and at most begins an answer. */
async function startMute() {
  const requests: string[] = [];
  const double = await serveRaw(async (request, response) => {
    const body = await text(request);
    requests.push(body);
    if (!body.includes(begun)) return;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': 100 });
    response.write('{');
  });
  return { ...double, requests };
}

/** Waits until a call ends, or until it is too late. */
async function watch(call: Promise<unknown>): Promise<Ending> {
  const startedAt = performance.now();
  const ended = call.then(
    () => 'done',
    (error) => error,
  );
  const tooLate = Promise.withResolvers<string>();
  const timer = setTimeout(tooLate.resolve, boundSeconds * 1000, 'under way still');
  const outcome = await Promise.race([ended, tooLate.promise]);
  clearTimeout(timer);
  return { outcome, seconds: (performance.now() - startedAt) / 1000 };
}

describe('a database that does not answer', () => {
  const endings = new Map<string, Ending>();
  let requests: readonly string[] = [];

  beforeAll(async () => {
    const mute = await startMute();
    await inAnotherProcess({ DYNAMODB_ENDPOINT: mute.url }, async () => {
      const items = await import('#shared/db/items.ts');
      const running = [unanswered, begun].flatMap((pk) =>
        Object.entries(calls).map(([name, call]) => ({ id: `${name} ${pk}`, ended: call(items, pk) })),
      );
      await Promise.all(running.map(async ({ id, ended }) => endings.set(id, await watch(ended))));
      await mute.stop();
      await Promise.allSettled(running.map(({ ended }) => ended));
    });
    requests = mute.requests;
  });

  test.each(names)('is unavailable in time for %s if it never answers', (name) => {
    const ending = endings.get(`${name} ${unanswered}`);

    expect(ending?.outcome).toMatchObject({ code: 'database.unavailable', status: 503 });
    expect(ending?.outcome).toMatchObject({ cause: { name: 'TimeoutError' } });
    expect(ending?.seconds).toBeGreaterThan(8);
  });

  test.each(names)('is unavailable in time for %s if it never ends its answer', (name) => {
    const ending = endings.get(`${name} ${begun}`);

    expect(ending?.outcome).toMatchObject({ code: 'database.unavailable', status: 503 });
  });

  test('is asked three times by each', () => {
    expect(requests.filter((body) => body.includes(unanswered))).toHaveLength(3 * names.length);
  });
});
