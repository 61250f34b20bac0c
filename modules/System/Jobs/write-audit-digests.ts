import { defineJob } from '#shared/module/module.ts';
import { lateMs } from '../audit/digest.ts';
import { writeDigests } from '../audit/write-digests.ts';

/** Writes the digest of the last hour of the audit log. */
export default defineJob({
  schedule: 'rate(1 hour)',
  limits: { timeoutSeconds: 300 },
  // The last minute is left to the next digest, because entries of it may still be on their way.
  run: async (isOver) => {
    const digests = await writeDigests({ toMs: Date.now() - lateMs, isOver });
    return { digests: digests.length, entries: digests.reduce((sum, { number }) => sum + number, 0) };
  },
});
