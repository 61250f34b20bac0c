import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuditEvent } from '#shared/audit/entry.ts';
import { createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { transact } from '#shared/db/items.ts';
import { putNew } from '#shared/db/writes.ts';
import { keys } from '../../support/keys.ts';
import type { EventScenarios, RequestScenarios } from '../scenario.ts';

/** Stores an entry of the audit log, an hour old. @returns its ID */
async function addEntry(): Promise<string> {
  const event: AuditEvent = {
    actor: { kind: 'system', id: null, account: null },
    ...{ channel: 'cli', action: 'trial', target: null, outcome: 'ok', code: 'ok', fields: {} },
    ...{ request_id: 'trial', address: null },
  };
  const entry = createEntry(event, 200, Date.now() - 3_600_000);
  await transact([putNew(toAuditItem(entry))]);
  return entry.id;
}

/** Stands for Lambda, and accepts every start of a function. */
async function acceptStarts(): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(202).end()).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  process.env.AWS_ENDPOINT_URL_LAMBDA = `http://127.0.0.1:${port}`;
}

/** The service as a whole. */
export const serviceScenarios: RequestScenarios = {
  'system-web-health': ({ guest }) => guest.get('/health'),
  'system-admin-audit-list': ({ admin }) => admin.get('/adminapi/system/audit/list'),
  'system-admin-audit-detail': async ({ admin }) =>
    admin.get('/adminapi/system/audit/detail', { id: await addEntry() }),
  'system-admin-audit-mine': ({ admin }) => admin.get('/adminapi/system/audit/mine'),
  'system-admin-overview-detail': ({ admin }) => admin.get('/adminapi/system/overview/detail'),
  'system-admin-job-list': ({ admin }) => admin.get('/adminapi/system/job/list'),
  'system-admin-job-run': async ({ admin }) => {
    await acceptStarts();
    return admin.post('/adminapi/system/job/run', { id: 'system-job-clean-up-uploads' });
  },
  'system-web-console-path': ({ guest }) => guest.get('/console/login'),
  'system-web-openapi-json': ({ guest }) => guest.get('/openapi.json'),
};

/** Jobs and the stream listener. */
export const eventScenarios: EventScenarios = {
  'system-job-clean-up-uploads': () => ({}),
  'system-job-write-audit-digests': async ({ functions }) => {
    await addEntry();
    // The first digest is another case: it looks for the first entry.
    await functions.invoke('system-job-write-audit-digests', {});
    return {};
  },
  'system-job-verify-audit-log': async ({ functions }) => {
    await addEntry();
    await functions.invoke('system-job-write-audit-digests', {});
    return {};
  },
  'system-stream-clear-caches': () => {
    const changed = [keys.config('basics', 'site_name'), keys.admin('01ARZ3NDEKTSV4RRFFQ69G5FAV')];
    return {
      Records: changed.map(({ pk, sk }) => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } })),
    };
  },
};
