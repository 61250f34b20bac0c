import { afterAll, beforeAll } from '@jest/globals';

const timeoutMs = 180_000;

/**
 * Starts something before the tests of a file, and stops it after them.
 *
 * @param start called in the order of the declarations, so it may use what was declared before
 * @param stop by default its own `stop`
 * @returns it, to be read once it runs
 */
export function useRunning<Running extends object>(
  start: () => Running | Promise<Running>,
  stop: (running: Running) => unknown = (running) => Object(running).stop(),
): Running {
  let running: Running | undefined;
  beforeAll(async () => {
    running = await start();
  }, timeoutMs);
  afterAll(async () => {
    if (running) await stop(running);
  }, timeoutMs);
  const read = (): Running => {
    if (!running) throw new Error('it does not run yet');
    return running;
  };
  return new Proxy({} as Running, {
    get(_target, name) {
      const value: unknown = Reflect.get(read(), name);
      return typeof value === 'function' ? value.bind(read()) : value;
    },
    set: (_target, name, value) => Reflect.set(read(), name, value),
  });
}
