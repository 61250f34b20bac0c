import { sweepUploads } from '#shared/files/uploads/sweep.ts';
import { defineJob } from '#shared/module/job.ts';

/** Removes what unfinished uploads have left. */
export default defineJob({
  schedule: 'rate(15 minutes)',
  storage: true,
  limits: { timeoutSeconds: 300 },
  run: (isOver) => sweepUploads({ isOver }),
});
