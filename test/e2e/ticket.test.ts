import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '#cli/project.ts';
import { outcome } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { copyProject } from '../support/project-copy.ts';
import { readCodeBlocks } from '../support/read-code-blocks.ts';
import { runService, shellEnvironment } from '../support/run-service.ts';
import { useServer } from '../support/use-server.ts';
import { uploadPicture } from './file-fixture.ts';
import { createPhones, newMobile } from './user-fixture.ts';

// The example of the docs, as a user would install it: its folder is copied, and what docs/jobs.md and
// docs/write-a-route.md add to it.

const copy = copyProject(['docs']);
cpSync(join(root, 'docs', 'examples', 'Ticket'), join(copy.root, 'modules', 'Ticket'), { recursive: true });
copy.enable('System', 'UserCenter', 'Ticket');
const blocks = ['docs/jobs.md', 'docs/write-a-route.md'].flatMap(readCodeBlocks);
const errorMake = blocks.find(({ code }) => code.includes('error:make'))?.code ?? '';
execFileSync('bash', ['-ec', errorMake], { cwd: copy.root, env: shellEnvironment() });
for (const { file, language, code } of blocks) if (file && language === 'ts') copy.write(file, code);
const { server, client, admin, addAdmin } = useServer({ root: copy.root });
const desk = admin.at('/adminapi/ticket/ticket');

describe('tickets', () => {
  let own: Client;
  let other: Client;
  let id: string;

  beforeAll(async () => {
    const phones = createPhones(server, client);
    const users: Client[] = [];
    for (const mobile of [newMobile(), newMobile()]) {
      const { data } = await phones.register(mobile);
      users.push(client.as(data.token).at('/api/ticket/ticket'));
    }
    [own = client, other = client] = users;
    await other.post('add', { title: 'Of another user', text: 'x' });
  });

  test('are added by users, who see their own and no internal field', async () => {
    const added = await own.post('add', { title: 'Printer is broken', text: 'It smokes' });

    const shown = { title: 'Printer is broken', status: 'open', files: null };
    expect(added).toMatchObject({ status: 200, data: shown });
    expect(added.data).not.toHaveProperty('assignee');
    id = added.data.id;
    expect((await own.get('list')).data.list).toEqual([added.data]);
    expect((await own.get('list?status=open&search=printer')).data.list).toEqual([added.data]);
    expect((await own.get('list?status=closed')).data.list).toEqual([]);
    expect((await own.get('list?status=open&search=another')).data.list).toEqual([]);
    expect((await own.get('list?user_id=01ARZ3NDEKTSV4RRFFQ69G5FAV')).data.list).toEqual([added.data]);
    const foreign = { title: 'x', text: 'y', files: ['https://example.com/a.png'] };
    expect(await own.post('add', foreign)).toMatchObject({ status: 422, errors: [{ path: 'body.files.0' }] });
    const closed = await own.post('add', { title: 'x', text: 'y', status: 'closed' });
    expect(outcome(closed)).toBe('422 request.invalid');
    expect(outcome(await client.get('/api/ticket/ticket/list'))).toBe('401 auth.token_missing');
  });

  test('are found and assigned, and those who may not list administrators read the name', async () => {
    const helper = await addAdmin({ grants: ['ticket:write'] });
    const found = await desk.get('list?search=PRINTER&status=open');
    expect(found.data).toMatchObject({ list: [{ id, labels: { status: '待处理' } }] });
    expect((await desk.get('list?search=smokes')).data.list).toEqual([]);

    const edit = { id, version: 1, assignee: helper.id };
    expect((await helper.client.post('/adminapi/ticket/ticket/edit', edit)).data).toMatchObject({
      assignee: helper.id,
      labels: { assignee: helper.account },
      version: 2,
    });
    expect(outcome(await desk.post('edit', edit))).toBe('409 version_conflict');
    const unknown = await desk.post('edit', { id, version: 2, assignee: id });
    expect(unknown).toMatchObject({ status: 422, errors: [{ path: 'body.assignee' }] });
    expect((await desk.get(`detail?id=${id}`)).data.version).toBe(2);
  });

  test('show attachments under their full URL', async () => {
    const { uri } = await uploadPicture(admin, 'smoke.png');
    const { data: ticket } = await desk.get(`detail?id=${id}`);

    const edited = await desk.post('edit', { id, version: ticket.version, files: [uri] });

    const [url] = edited.data.files;
    expect((await fetch(new URL(url, server.url))).status).toBe(200);
    expect((await own.get('list')).data.list[0].files).toEqual([url]);
  });

  test('are listed by the tool', async () => {
    const call = { name: 'ticket.list', arguments: { search: 'printer' } };

    const { data } = await admin.post('/adminapi/system/ai/mcp/call', call);

    expect(data.result.list).toMatchObject([{ id, title: 'Printer is broken' }]);
  });

  test('are closed by the job only after two weeks', async () => {
    const { data: ticket } = await desk.get(`detail?id=${id}`);
    await desk.post('edit', { id, version: ticket.version, status: 'waiting' });

    const environment = { DATA_DIR: server.dataDir };
    const run = await runService(copy.root, environment, 'job:run', 'ticket-job-close-waiting');

    expect(run).toMatchObject({ code: 0, complaint: '' });
    const call = { name: 'ticket.last_closing', arguments: {} };
    const { data } = await admin.post('/adminapi/system/ai/mcp/call', call);
    expect(data.result).toMatchObject({ outcome: 'done', closed: 0 });
    expect((await desk.get(`detail?id=${id}`)).data.status).toBe('waiting');
    await desk.post('edit', { id, version: ticket.version + 1, status: 'open' });
  });

  test('are opened again by their users once they are closed, within the limit', async () => {
    const body = { id };
    expect(outcome(await own.post('reopen', body))).toBe('409 ticket.not_closed');
    const { data: ticket } = await desk.get(`detail?id=${id}`);
    await desk.post('edit', { id, version: ticket.version, status: 'closed' });
    expect(outcome(await other.post('reopen', body))).toBe('404 record.not_found');

    const opened = await own.post('reopen', body);

    expect(opened).toMatchObject({ status: 200, data: null });
    // The server of tests multiplies limits by 1,000.
    expect(opened.headers.get('ratelimit-limit')).toBe('10000');
    expect((await desk.get(`detail?id=${id}`)).data.status).toBe('open');
    const guest = await client.post('/api/ticket/ticket/reopen', body);
    expect(outcome(guest)).toBe('401 auth.token_missing');
  });

  test('keep values of the dictionary in use, and are in the audit log', async () => {
    const item = { type_key: 'ticket_status', value: 'open' };
    const refused = await admin.post('/adminapi/system/setting/dict/data/delete', item);

    const errors = [{ path: 'ticket', message: '2' }];
    expect(refused).toMatchObject({ status: 409, code: 'dict.value_in_use', errors });
    const { list } = (await admin.get(`/adminapi/system/audit/list?target=ticket:${id}`)).data;
    const outcomes = ['ok', 'ok', 'ok', 'ok', 'refused', 'refused', 'ok'];
    expect(list).toMatchObject(outcomes.map((each) => ({ action: 'ticket/ticket/edit', outcome: each })));
  });

  test('are deleted, once', async () => {
    expect(outcome(await desk.post('delete', { id }))).toBe('200 ok');
    expect(outcome(await desk.post('delete', { id }))).toBe('404 record.not_found');
    expect((await own.get('list')).data.list).toEqual([]);
  });
});
