import { defineJob } from '#shared/module/module.ts';
import { closeLog } from '../audit/close-log.ts';
import { lateMs } from '../audit/digest.ts';

/** Writes entries for counted events of the last hours, and the digest of the last hour of the audit log. */
export default defineJob({
  title: { zh_CN: '写入审计摘要', en: 'Write digests of the audit log' },
  schedule: 'rate(1 hour)',
  limits: { timeoutSeconds: 300 },
  auditsLog: true,
  // The last minute is left to the next digest, because entries of it may still be on their way.
  run: async ({ isOver }) => {
    const { counted, digests } = await closeLog({ toMs: Date.now() - lateMs, isOver });
    return {
      counted,
      digests: digests.length,
      entries: digests.reduce((sum, { number }) => sum + number, 0),
    };
  },
});
