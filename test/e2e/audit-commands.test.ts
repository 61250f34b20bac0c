import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { readLocalSecrets } from '#cli/local/data-directory.ts';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { readMonth } from '#modules/System/audit/stored-log.ts';
import type { AuditEvent, StoredEntry } from '#shared/audit/entry.ts';
import { createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { auditEntries } from '#shared/audit/stored-entries.ts';
import { transact, updateItem } from '#shared/db/items.ts';
import { changeItem, putNew } from '#shared/db/writes.ts';
import { useDatabase } from '../support/database.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { runScript } from '../support/run-service.ts';

// `audit:export`, `audit:verify` and `audit:digest`.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const run = (...args: string[]) => runScript('cli/service.ts', args, projectRoot, process.env);
const event: AuditEvent = {
  actor: { kind: 'admin', id: 'A', account: 'root' },
  ...{ channel: 'api', action: 'article/edit', target: 'article:1', outcome: 'ok', code: 'ok' },
  ...{ fields: {}, request_id: 'r', address: '192.0.2.1' },
};
const now = new Date();
const month = now.toISOString().slice(0, 7);
const entries: StoredEntry[] = [];
/** Above the 64 KiB of a pipe, and above the 1 MiB of a page. */
const count = 1500;

beforeAll(async () => {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  // That of the installation.
  for await (const item of readMonth(month)) entries.push(z.parse(auditEntries.row, item));
  const installed = entries.length;
  for (let index = installed; index < count; index += 1) {
    const fields = { note: { length: index }, list: Array.from({ length: 100 }, (_, each) => each * 10) };
    entries.push(createEntry({ ...event, fields }, 200, Math.max(start, now.getTime() - count) + index));
  }
  for (let from = installed; from < count; from += 100) {
    await transact(entries.slice(from, from + 100).map((entry) => putNew(toAuditItem(entry))));
  }
}, 60_000);

describe('audit:digest', () => {
  test('writes a digest until now, and the next one after it', async () => {
    const first = await run('audit:digest');
    const second = await run('audit:digest');

    expect(first).toMatchObject({ code: 0, complaint: '' });
    expect(first.printed).toMatch(/^Digest until \d{4}-\d\d-\d\dT[\d:.]+Z: 1500 entries$/);
    expect(second.printed).toMatch(/^Digest until .+: 0 entries$/);
  });
});

describe('audit:export', () => {
  test('writes every entry as one line of JSON, in the order of time', async () => {
    const { code, printed, complaint } = await run('audit:export', '--month', month);

    const lines = printed.split('\n').map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines).toEqual(
      [...entries].sort((a, b) => (a.id < b.id ? -1 : 1)).map((entry) => ({ ...entry, genuine: true })),
    );
    expect(complaint).toBe('1000 entries\n1500 entries');
  }, 30_000);

  test('writes nothing for a month without entries', async () => {
    expect(await run('audit:export', '--month', '2020-01')).toEqual({
      ...{ code: 0, printed: '', complaint: '0 entries' },
    });
  });
});

describe('audit:verify', () => {
  test('says that nothing was changed, and how far the log is covered', async () => {
    const { code, printed, complaint } = await run('audit:verify', '--month', month);

    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(printed.split('\n')).toEqual([
      `${month}: 1500 entries and 2 digests are as they were written`,
      expect.stringMatching(/^Covered until .+Z, hash of the last digest [0-9a-f]{64}$/),
    ]);
  });

  test('names an entry that was changed in the table, and fails', async () => {
    const [, , changed] = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
    const key = auditEntries.key({ id: String(changed?.id) });
    await updateItem(changeItem(key, { set: { outcome: 'refused' } }).Update);

    const complaint = `${month}: the entry ${changed?.id} was changed, or invented`;
    expect(await run('audit:verify', '--month', month)).toEqual({ code: 1, printed: '', complaint });
    const exported = await run('audit:export', '--month', month);
    expect(exported.printed.split('\n').filter((line) => line.includes('"genuine":false'))).toHaveLength(1);
    await updateItem(changeItem(key, { set: { outcome: 'ok' } }).Update);
  });

  test('says that a clock went back, and succeeds', async () => {
    const behind = createEntry(event, 200, Date.now() - 2.5 * 3_600_000);
    await transact([putNew(toAuditItem(behind))]);
    await run('audit:digest');

    const { code, printed, complaint } = await run('audit:verify', '--month', month);

    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(printed.split('\n')[0]).toMatch(
      RegExp(`^Notice: the entry ${behind.id} is older than the digest .+: a clock went back by 2 h 29 min`),
    );
  });

  test('names the key that is missing after secrets.json was deleted', async () => {
    const dataDir = createTempDir();
    const first = readLocalSecrets(dataDir);
    rmSync(join(dataDir, 'secrets.json'));
    const { appKey } = readLocalSecrets(dataDir);
    expect(appKey).not.toBe(first.appKey);

    const { code, complaint } = await runScript(
      'cli/service.ts',
      ['audit:verify', '--month', month],
      projectRoot,
      { ...process.env, APP_KEY: appKey },
    );

    expect(code).toBe(1);
    expect(complaint).toMatch(/names a key that is unknown here, [\w-]{8}: .+secrets\.json was changed/);
  });

  test.each(['2026-13', '2026-1', 'x', '2026-11-01'])('refuses the month %s', async (wrong) => {
    const { code, complaint } = await run('audit:verify', '--month', wrong);

    expect(code).toBe(2);
    expect(complaint).toMatch('It takes a month, such as 2026-11.');
  });
});
