import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { listRuns } from '#shared/jobs/stored-run.ts';
import { pageOf, pageQuery, toPage } from '#shared/schema/list.ts';
import { describeJob, jobData } from '../../jobs/list-jobs.ts';

export default admin.get({
  summary: { zh_CN: '任务列表', en: 'List jobs' },
  query: z.object(pageQuery),
  data: pageOf(jobData),
  needs: ['jobs'],
  prefetch: () => listRuns(),
  handler: async ({ query, jobs, prefetched, locale }) =>
    toPage(
      jobs.map((job) =>
        describeJob(
          job,
          prefetched.find(({ name }) => name === job.id),
          locale,
        ),
      ),
      query,
    ),
});
