import { jest } from '@jest/globals';

/** Time passes when the test says so, until `jest.useRealTimers`; the network goes on. */
export function stopTime(): void {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
}

/**
 * Only the clock stands until the test moves it, and until `jest.useRealTimers`: timers go on, such as those before a
 * request to a store is repeated.
 */
export function stopClock(): void {
  jest.useFakeTimers({
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
}
