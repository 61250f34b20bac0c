import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { copyProject } from '../support/project-copy.ts';
import { useServer } from '../support/use-server.ts';
import { addLab } from './lab-tools.ts';

const job = `
  import { defineJob } from '#shared/module/module.ts';
  const counts: { ticks?: number } = globalThis;
  const run = async () => {
    counts.ticks = (counts.ticks ?? 0) + 1;
    return { ticks: counts.ticks };
  };
  export default defineJob({ schedule: 'rate(1 minute)', run });
`;
const route = `
  import * as z from 'zod/mini';
  import { web } from '#shared/http/route.ts';
  const summary = { zh_CN: '实验', en: 'Experiment' };
  export default web.get({ summary, data: z.null(), handler: async () => null });
`;
const preload = (file: string) => `--import ${pathToFileURL(join(__dirname, '..', 'support', file)).href}`;

const copy = copyProject();
addLab(copy);
copy.write('modules/Lab/Jobs/tick.ts', job);
copy.enable('System', 'Lab');
const NODE_OPTIONS = `${preload('quick-start.ts')} ${preload('pass-minutes.ts')}`;
const { server } = useServer({ login: false, root: copy.root, environment: { NODE_OPTIONS } });

/** How often the job ran, by its log. */
const countRuns = () => server.printed().match(/"ticks":/g)?.length ?? 0;

async function passMinute(): Promise<void> {
  const before = countRuns();
  const { pid } = JSON.parse(readFileSync(join(server.dataDir, 'stack.json'), 'utf8'));
  process.kill(pid, 'SIGUSR2');
  await server.prints(new RegExp(`"ticks":${before + 1}\\b`));
}

test('a job runs once each time, however often the gateway was replaced', async () => {
  for (const name of ['one', 'two', 'three']) {
    const restarts = server.printed().split('Restarted').length;
    copy.write(`modules/Lab/Web/${name}.ts`, route);
    await server.prints(new RegExp(`(?:Restarted[\\s\\S]*){${restarts}}`));
  }

  for (let minute = 0; minute < 3; minute += 1) await passMinute();

  // The end waits for calls that still run.
  await server.stop();

  expect(countRuns()).toBe(3);
});
