import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  accepts,
  initialState,
  isActive,
  nextState,
  type UploadEvent,
} from '#console/kit/uploads/upload-state.ts';

const problem = { kind: 'network', message: '' } as const;
const plain = ['begin', 'check', 'done', 'pause', 'resume', 'retry', 'cancel'] as const;
const events: fc.Arbitrary<UploadEvent> = fc.oneof(
  fc.constantFrom(...plain).map((name) => ({ name })),
  fc.nat(1000).map((sentBytes) => ({ name: 'sent' as const, sentBytes })),
  fc.constantFrom('wait' as const, 'fail' as const).map((name) => ({ name, problem })),
);
const follow = (list: readonly UploadEvent[]) => list.reduce(nextState, initialState);

describe('the state of an upload', () => {
  test('goes from the queue to the end', () => {
    const names = ['begin', 'check', 'done'] as const;

    const phases = names.map((_, index) => follow(names.slice(0, index + 1).map((name) => ({ name }))).phase);

    expect(phases).toEqual(['sending', 'checking', 'done']);
  });

  test('keeps the bytes that were sent while it is paused', () => {
    const state = follow([
      { name: 'begin' },
      { name: 'sent', sentBytes: 7 },
      { name: 'pause' },
      { name: 'resume' },
    ]);

    expect(state).toEqual({ phase: 'queued', sentBytes: 7 });
  });

  test('cannot be stopped while the service registers the file', () => {
    const state = follow([{ name: 'begin' }, { name: 'check' }]);

    expect([accepts(state, 'pause'), accepts(state, 'cancel')]).toEqual([false, false]);
  });

  test('never leaves its end, after any event', () => {
    fc.assert(
      fc.property(fc.array(events), fc.array(events), (before, after) => {
        const state = follow(before);
        fc.pre(state.phase === 'done' || state.phase === 'cancelled');
        expect(after.reduce(nextState, state)).toBe(state);
      }),
    );
  });

  test('has a problem while it failed or waits, and at no other time', () => {
    fc.assert(
      fc.property(fc.array(events), (list) => {
        const { phase, problem: reason } = follow(list);
        expect(reason !== undefined).toBe(phase === 'failed' || phase === 'waiting');
      }),
    );
  });

  test('starts requests by begin only, and again only after resume or retry', () => {
    fc.assert(
      fc.property(fc.array(events), events, (before, event) => {
        const state = follow(before);
        const next = nextState(state, event);
        if (!isActive(state) && isActive(next))
          expect([state.phase, event.name]).toEqual(['queued', 'begin']);
      }),
    );
  });
});
