import { openAnchor } from '#shared/audit/anchor.ts';
import { defineJob } from '#shared/module/module.ts';
import { storedLog } from '../audit/stored-log.ts';
import { verifyDue } from '../audit/verify/verify-due.ts';

/** Verifies the audit log; a large one in the course of several days. */
export default defineJob({
  title: { zh_CN: '校验审计日志', en: 'Verify the audit log' },
  schedule: 'rate(1 day)',
  limits: { timeoutSeconds: 900, memoryMb: 1024 },
  auditsLog: true,
  run: async ({ isOver }) => verifyDue(storedLog, await openAnchor('verified'), { isOver }),
});
