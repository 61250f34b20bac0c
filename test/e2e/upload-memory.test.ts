import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { postDirectly } from '../contract/storage/post-directly.ts';
import { clouds } from '../doubles/clouds.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import { projectRoot } from '../support/local-server.ts';
import { readStack } from '../support/table.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { createDirect, megabyte, pad, type Ticket, useCallers } from './upload-fixture.ts';
import type { Body, Order, Report } from './upload-memory-worker.ts';

const partSize = 4_194_304;
const videoBytes = 50 * megabyte;
const mostGrowth = 32 * megabyte;
const names = ['local', 'aliyun', 'qcloud', 'qiniu', 's3'] as const;

let worker: ChildProcess;

const used = useServer();
const { server, admin: root, saveSettings: save } = used;
const { admin } = useCallers(used);
const running = useRunning(
  () => Promise.all(Object.values(clouds).map((start) => start())),
  (all) => Promise.all(all.map(({ stop }) => stop())),
);

beforeAll(async () => {
  for (const { name, settings } of running) await save(name, settings);
});

afterAll(() => worker?.disconnect());

/** Starts the process of a function that has not run yet. */
function startWorker(): void {
  worker?.disconnect();
  const { PATH } = process.env;
  worker = fork(join(projectRoot, 'test/e2e/upload-memory-worker.ts'), {
    cwd: projectRoot,
    env: { PATH, ...readStack(server), THROTTLE_FACTOR: '1000', LOG_LEVEL: 'error' },
    execArgv: ['--expose-gc'],
  });
}

async function measure(order: Order): Promise<Report> {
  worker.send(order);
  const [report] = await once(worker, 'message');
  return report;
}

/** Sends a video to the engine of new files. */
async function sendVideo(sizeBytes: number): Promise<Ticket> {
  const bytes = pad(validFiles.mp4, sizeBytes);
  const ticket = await createDirect(admin).start('video', 'a.mp4', bytes.length);
  await postDirectly(ticket, bytes);
  return ticket;
}

const complete = ({ ticket }: Ticket) =>
  measure({
    name: 'system-admin-upload-complete',
    query: {},
    authorization: `Bearer ${root.token}`,
    contentType: 'application/json',
    bodies: [{ json: JSON.stringify({ ticket }) }],
  });

function sendParts({ ticket }: Ticket, sizeBytes: number): Promise<Report> {
  const boundary = 'the-boundary-of-this-form';
  const head = validFiles.mp4.toString('hex');
  const bodies: Body[] = [];
  for (let offset = 0; offset < sizeBytes; offset += partSize) {
    bodies.push({ ticket, offset, sizeBytes: Math.min(partSize, sizeBytes - offset), boundary, head });
  }
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return measure({ name: 'system-api-upload-part-post', query: { ticket }, contentType, bodies });
}

// Only Linux reports the peak memory of a process from a given moment on.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('memory grows by less than 32 MB', () => {
  test.each(names)('while a video of 50 MB is completed in %s', async (name) => {
    await save('storage', { default: name });
    startWorker();
    const small = await sendVideo(1000);
    const large = await sendVideo(videoBytes);

    // Modules that load on first use must not count for the file.
    const warmUp = await complete(small);
    const report = await complete(large);

    expect([warmUp.statuses, report.statuses]).toEqual([[200], [200]]);
    expect(report.growthBytes).toBeLessThan(mostGrowth);
  });

  test('while a video of 50 MB is sent in parts', async () => {
    await save('storage', { default: 'local' });
    startWorker();
    const direct = createDirect(admin);

    await sendParts(await direct.start('video', 'a.mp4', 1000), 1000);
    const report = await sendParts(await direct.start('video', 'a.mp4', videoBytes), videoBytes);

    expect(new Set(report.statuses)).toEqual(new Set([200]));
    expect(report.growthBytes).toBeLessThan(mostGrowth);
  });
});
