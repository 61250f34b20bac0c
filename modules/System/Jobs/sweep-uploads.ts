import { defineJob } from '#shared/module/module.ts';
import { sweepUploads } from '../files/uploads/sweep.ts';

/** Removes what unfinished uploads have left. */
export default defineJob({
  schedule: 'rate(15 minutes)',
  storage: true,
  limits: { timeoutSeconds: 300 },
  run: (isOver) => sweepUploads({ isOver }),
});
