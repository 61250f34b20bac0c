import { jest } from '@jest/globals';

/** Time passes when the test says so, until `jest.useRealTimers`; the network goes on. */
export function stopTime(): void {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
}
