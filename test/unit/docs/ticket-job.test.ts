import { expect, test } from '@jest/globals';
import { ulid } from 'ulid';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { putRow } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import closeWaiting from '../../../docs/examples/Ticket/Jobs/close-waiting.ts';
import ticketModule from '../../../docs/examples/Ticket/module.ts';
import { tickets } from '../../../docs/examples/Ticket/tickets/tickets.ts';
import { useDatabase } from '../../support/database.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [ticketModule]);

const due = new Date('2026-03-29T03:00:00Z');
const daysAgo = (days: number) => new Date(due.getTime() - days * 86_400_000).toISOString();

async function addTicket(status: string, updated_at: string): Promise<string> {
  const id = ulid();
  const texts = { title: status, text: 'Text', files: null };
  const row = { id, ...texts, status, assignee: null, user_id: ulid(), version: 1, created_at: updated_at };
  await transact([putRow(tickets.entity, { ...row, updated_at })]);
  return id;
}

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
