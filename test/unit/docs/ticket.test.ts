import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ulid } from 'ulid';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { root } from '#cli/project.ts';
import { putRow } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import closeWaiting from '../../../docs/examples/Ticket/Jobs/close-waiting.ts';
import ticketModule from '../../../docs/examples/Ticket/module.ts';
import { tickets } from '../../../docs/examples/Ticket/tickets/tickets.ts';
import { useDatabase } from '../../support/database.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [ticketModule]);

const due = new Date('2026-03-29T03:00:00Z');
const daysAgo = (days: number) => new Date(due.getTime() - days * 86_400_000).toISOString();

function toWrite(values: { status: string; updated_at: string; user_id: string }) {
  const texts = { title: values.status, text: 'Text', files: null };
  const row = { id: ulid(), ...texts, assignee: null, version: 1, created_at: values.updated_at, ...values };
  return { id: row.id, write: putRow(tickets.entity, row) };
}

async function addTicket(status: string, updated_at: string, user_id = ulid()): Promise<string> {
  const { id, write } = toWrite({ status, updated_at, user_id });
  await transact([write]);
  return id;
}

test('the example needs at most 12 files and 300 lines', () => {
  const folder = join(root, 'docs/examples/Ticket');
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const sizes = found.map(
    ({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').split('\n').length - 1,
  );

  expect(sizes.length).toBeLessThanOrEqual(12);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(300);
});

test('the job of the example closes tickets that wait for two weeks, goes on after a cut, and keeps others', async () => {
  const waiting: string[] = [];
  for (let index = 0; index < 101; index += 1) waiting.push(await addTicket('waiting', daysAgo(15)));
  const others = [await addTicket('waiting', daysAgo(13)), await addTicket('open', daysAgo(15))];
  const kept: string[] = [];
  const run = (cursor?: string) =>
    closeWaiting.run({
      ...{ due, cursor, key: 'key', deadline: new Date(due.getTime() + 60_000) },
      // Ends after a page, as at the end of its time.
      isOver: () => true,
      keep: async (next) => void kept.push(next),
    });

  const first = await run();
  const second = await run(kept[0]);

  expect([first, second]).toEqual([{ closed: 99 }, { closed: 2 }]);
  const statusOf = async (id: string) => (await tickets.get(id)).status;
  expect(new Set(await Promise.all(waiting.map(statusOf)))).toEqual(new Set(['closed']));
  expect(await Promise.all(others.map(statusOf))).toEqual(['waiting', 'open']);
});

test("a user's own tickets of a status are found by one read, however many others there are", async () => {
  const user_id = ulid();
  const own = await addTicket('open', daysAgo(1), user_id);
  for (let page = 0; page < 11; page += 1) {
    const others = Array.from({ length: 95 }, () =>
      toWrite({ status: 'open', updated_at: daysAgo(0), user_id: ulid() }),
    );
    await transact(others.map(({ write }) => write));
  }

  const found = await tickets.list({ status: 'open', user_id, limit: 10 });

  expect(found).toMatchObject({ list: [{ id: own }], next_cursor: null });
  expect(found).not.toHaveProperty('partial');
});
