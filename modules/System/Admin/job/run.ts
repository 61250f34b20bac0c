import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { isRunning } from '#shared/jobs/choose-run.ts';
import { readRun } from '#shared/jobs/stored-run.ts';
import { titled } from '#shared/schema/titled.ts';
import systemErrors from '../../errors.ts';

export default admin.post({
  summary: { zh_CN: '立即运行任务', en: 'Run a job now' },
  sensitive: true,
  body: z.strictObject({ id: titled({ zh_CN: '任务', en: 'Job' }, z.string().check(z.maxLength(64))) }),
  data: z.null(),
  errors: ['job.not_found', 'job.running'],
  needs: ['jobs'],
  handler: async ({ body: { id }, jobs }) => {
    if (!jobs.some((job) => job.id === id)) throw systemErrors.create('job.not_found');
    const run = await readRun(id);
    if (run && isRunning(run, Date.now())) throw systemErrors.create('job.running');
    // Most functions need no SDK at their start.
    const { startJob } = await import('#shared/jobs/start-job.ts');
    await startJob(id);
  },
});
