import * as z from 'zod/mini';
import { discover } from '#functions/discover/discover.ts';
import { findNextDue } from '#shared/jobs/due-times.ts';
import { runJob } from '#shared/jobs/run-job.ts';
import { listRuns } from '#shared/jobs/stored-run.ts';
import { label } from '#shared/schema/marks.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { root } from '../project.ts';
import { recordCommand } from '../record-command.ts';
import { renderColumns } from '../terminal.ts';

/** Replaces unknown values. */
const none = '-';
/** A command may take as long as a function. */
const longestMs = 900_000;

export const jobList = createCommand(
  'job:list',
  'list the jobs of the enabled modules, with their last runs',
).action(async () => {
  useEnvironment();
  const { jobs } = await discover(root);
  const runs = await listRuns();
  const rows = jobs.map(({ functionName, job }) => {
    const run = runs.find(({ name }) => name === functionName);
    return [
      functionName,
      [job.schedule, job.timeZone ?? ''].join(' ').trim(),
      run?.outcome ?? none,
      run?.started_at ?? none,
      findNextDue(job, new Date())?.toISOString() ?? none,
      job.title?.en ?? none,
    ];
  });
  console.log(renderColumns([['JOB', 'SCHEDULE', 'LAST', 'STARTED', 'NEXT', 'TITLE'], ...rows]));
});

export const jobRun = createCommand('job:run', 'run a job now, in this process, and wait for its end')
  .argument('<name>', 'as job:list shows it')
  .action(async (name) => {
    useEnvironment();
    const { jobs } = await discover(root);
    const found = jobs.find(({ functionName }) => functionName === name);
    if (!found) throw new Error(`${name} is no job: job:list shows them`);
    const endMs = Date.now() + longestMs;
    const call = { name, due: new Date(), remainingMs: () => endMs - Date.now() };
    const schema = z.strictObject({ name: label(z.string()) });
    const answer = await recordCommand('job:run', schema, { name }, () => runJob(found.job, call));
    if (answer.state === 'running') throw new Error(`${name} runs at this moment`);
    console.log(`${name}: ${answer.state} ${JSON.stringify(answer.result ?? {})}`);
  });
