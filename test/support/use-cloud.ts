import { beforeEach, jest } from '@jest/globals';
import { type CloudFormationDouble, startCloudFormation } from '../doubles/cloudformation.ts';
import { useRunning } from './use-running.ts';

/** The double of AWS for the tests of a file, empty before each of them. Clients of the SDK go to it; nothing is printed. */
export function useCloud(): CloudFormationDouble {
  const before = { ...process.env };
  const cloud = useRunning(
    async () => {
      const started = await startCloudFormation();
      Object.assign(process.env, started.environment);
      return started;
    },
    async (started) => {
      process.env = before;
      await started.stop();
    },
  );
  beforeEach(() => {
    cloud.empty();
    for (const method of ['log', 'error'] as const) jest.spyOn(console, method).mockImplementation(() => {});
  });
  return cloud;
}
