import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  runUpload,
  type Ticket,
  type UploadMemory,
  type UploadService,
} from '#console/kit/uploads/run-upload.ts';
import { UploadQueue } from '#console/kit/uploads/upload-queue.ts';
import type { UploadState } from '#console/kit/uploads/upload-state.ts';

const failure = (status: number, code: string) => Object.assign(new Error(code), { status, code });
const lost = () => failure(0, 'network');
const large = 10_000_000;
const partSize = 4_000_000;

/** What happens to one request: it arrives; it is lost on the way; it arrives and its answer is lost. */
type Fate = 'arrives' | 'lost' | 'unanswered';

/** A service that keeps the ranges that arrive. */
class ServiceDouble implements UploadService<string, string> {
  received = 0;
  registered = 0;
  tickets = 0;
  isExpired = false;
  calls: string[] = [];

  readonly fates: Fate[];
  readonly partBytes: number | null;

  constructor(fates: Fate[] = [], partBytes: number | null = partSize) {
    this.fates = fates;
    this.partBytes = partBytes;
  }

  async sendForm(source: string, onSent: (bytes: number) => void) {
    return this.#request('form', () => {
      onSent(100);
      this.registered += 1;
      return source;
    });
  }

  async begin() {
    return this.#request('begin', (): Ticket => {
      this.tickets += 1;
      this.received = 0;
      this.isExpired = false;
      const ticket = {
        ticket: `${this.tickets}`,
        method: 'POST',
        url: '',
        headers: {},
        fields: {},
        file_field: 'file',
      } as const;
      return this.partBytes === null ? ticket : { ...ticket, part_size: this.partBytes };
    });
  }

  async send(
    _source: string,
    _ticket: Ticket,
    { start, end }: { start: number; end: number },
    onSent: (bytes: number) => void,
    signal: AbortSignal,
  ) {
    signal.throwIfAborted();
    return this.#request(`send ${start}`, () => {
      if (this.isExpired) throw failure(409, 'upload.ticket_invalid');
      if (start !== this.received && end !== this.received) throw failure(409, 'upload.offset_conflict');
      onSent(end - start);
      this.received = end;
    });
  }

  async countReceived() {
    return this.#request('count', () => {
      if (this.isExpired) throw failure(409, 'upload.ticket_invalid');
      return this.received;
    });
  }

  async complete({ ticket }: Ticket) {
    return this.#request('complete', () => {
      if (this.isExpired) throw failure(409, 'upload.ticket_invalid');
      if (this.received < large) throw failure(409, 'upload.incomplete');
      // Idempotent.
      this.registered = 1;
      return `file of ${ticket}`;
    });
  }

  async #request<Value>(name: string, act: () => Value): Promise<Value> {
    this.calls.push(name);
    const fate = this.fates.shift() ?? 'arrives';
    if (fate === 'lost') throw lost();
    const value = act();
    if (fate === 'unanswered') throw lost();
    return value;
  }
}

const ignore = () => {};
const at = { source: 'a', wait: async () => {}, onSent: ignore, onCheck: ignore, onWait: ignore };

const run = (service: ServiceDouble, memory: UploadMemory = {}, signal = new AbortController().signal) =>
  runUpload({ ...at, sizeBytes: large, memory, service, signal });

describe('an upload by parts', () => {
  test('sends the parts in order and completes', async () => {
    const service = new ServiceDouble();

    await expect(run(service)).resolves.toBe('file of 1');

    expect(service.calls).toEqual(['begin', 'send 0', 'send 4000000', 'send 8000000', 'complete']);
  });

  test('asks what has arrived after a lost part, and goes on from there', async () => {
    const service = new ServiceDouble(['arrives', 'unanswered']);

    await run(service);

    expect(service.calls).toEqual(['begin', 'send 0', 'count', 'send 4000000', 'send 8000000', 'complete']);
  });

  test('begins again if the ticket of an earlier run has expired', async () => {
    const service = new ServiceDouble();
    const memory: UploadMemory = { ticket: await service.begin(), hasSent: true };
    service.isExpired = true;

    await expect(run(service, memory)).resolves.toBe('file of 2');
  });

  test('gives up if a new ticket is refused', async () => {
    const service = new ServiceDouble();
    service.begin = () => Promise.reject(failure(422, 'upload.extension_not_allowed'));

    await expect(run(service)).rejects.toThrow('upload.extension_not_allowed');
  });

  test('ends with one registered file, complete, after any short failures', async () => {
    const fate = fc.constantFrom<Fate>('arrives', 'lost', 'unanswered');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { maxLength: 5 }),
        fc.constantFrom(partSize, null),
        async (fates, size) => {
          const service = new ServiceDouble(fates, size);
          await run(service);
          expect([service.received, service.registered]).toEqual([large, 1]);
        },
      ),
    );
  });

  test('ends with one registered file however often it is paused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 6 }), async (stops) => {
        const service = new ServiceDouble();
        const memory: UploadMemory = {};
        for (const stop of stops) {
          const controller = new AbortController();
          let requests = 0;
          const send = service.send.bind(service);
          service.send = async (...given) => {
            if (++requests === stop) controller.abort();
            return send(...given);
          };
          await run(service, memory, controller.signal).catch(ignore);
          service.send = send;
        }
        await run(service, memory);
        expect([service.received, service.registered]).toEqual([large, 1]);
      }),
    );
  });
});

describe('an upload in one piece', () => {
  test('is not sent again if only the answer was lost', async () => {
    const service = new ServiceDouble(['arrives', 'unanswered'], null);

    await run(service);
    expect(service.calls).toEqual(['begin', 'send 0', 'complete']);
  });

  test('is sent again if nothing has arrived', async () => {
    const service = new ServiceDouble(['arrives', 'lost'], null);

    await run(service);

    expect(service.calls).toEqual(['begin', 'send 0', 'complete', 'send 0', 'complete']);
  });

  test('goes by form if it is small, and is checked when its last byte has left', async () => {
    const service = new ServiceDouble();
    const events: string[] = [];
    const { signal } = new AbortController();
    const onCheck = () => events.push('check');

    const outcome = await runUpload({ ...at, sizeBytes: 100, memory: {}, service, signal, onCheck });

    expect([outcome, service.calls, events]).toEqual(['a', ['form'], ['check']]);
  });
});

describe('the queue of uploads', () => {
  function createQueue(service: ServiceDouble) {
    const seen: UploadState['phase'][][] = [];
    const done: string[] = [];
    const waiters: (() => void)[] = [];
    const queue = new UploadQueue<string, string>({
      service,
      atOnce: 2,
      now: () => 0,
      wait: async () => {},
      onDone: (outcome) => done.push(outcome),
      onChange: (items) => {
        seen.push(items.map(({ state }) => state.phase));
        for (const waiter of waiters.splice(0)) waiter();
      },
    });
    const until = async (...phases: UploadState['phase'][]) => {
      while (JSON.stringify(seen.at(-1)) !== JSON.stringify(phases)) {
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    };
    return { queue, seen, done, until };
  }

  test('uploads no more than so many at once, in order', async () => {
    const { queue, seen, done, until } = createQueue(new ServiceDouble());

    for (const name of ['a', 'b', 'c']) queue.add(name, 100);
    await until('done', 'done', 'done');

    const active = seen.map(
      (phases) => phases.filter((phase) => ['sending', 'checking'].includes(phase)).length,
    );
    expect(Math.max(...active)).toBe(2);
    expect(done).toEqual(['a', 'b', 'c']);
  });

  test('goes on after a pause from what has arrived', async () => {
    const service = new ServiceDouble();
    const { queue, until, done } = createQueue(service);
    const send = service.send.bind(service);
    let id = 0;
    service.send = async (...given) => {
      if (given[2].start === partSize) queue.pause(id);
      return send(...given);
    };
    id = queue.add('a', large);
    await until('paused');
    service.send = send;
    service.calls.length = 0;

    queue.resume(id);
    await until('done');

    expect(done).toEqual(['file of 1']);
    expect(service.calls).toEqual(['count', 'send 4000000', 'send 8000000', 'complete']);
  });

  test('forgets a cancelled upload and takes the next one', async () => {
    const { queue, done, until } = createQueue(new ServiceDouble());
    const ids = ['a', 'b', 'c'].map((name) => queue.add(name, large));

    queue.cancel(ids[0] ?? 0);
    await until('done', 'done');

    expect(done).toHaveLength(2);
  });

  test('keeps a refused file with its reason, and does not send it', async () => {
    const service = new ServiceDouble();
    const { queue, until } = createQueue(service);

    queue.add('a', 100, { kind: 'type', message: 'no' });
    await until('failed');

    expect(service.calls).toEqual([]);
  });

  test('tries again when the connection is back', async () => {
    const service = new ServiceDouble(Array<Fate>(6).fill('lost'));
    const { queue, until, done } = createQueue(service);
    queue.add('a', 100);
    queue.add('b', 100, { kind: 'type', message: 'no' });
    await until('failed', 'failed');

    queue.retryLost();
    await until('done', 'failed');

    expect(done).toEqual(['a']);
  });

  test('clears what is finished', async () => {
    const { queue, until, seen } = createQueue(new ServiceDouble());
    queue.add('a', 100);
    queue.add('b', 100, { kind: 'empty', message: '' });
    await until('done', 'failed');

    queue.clearFinished();

    expect(seen.at(-1)).toEqual(['failed']);
  });
});
