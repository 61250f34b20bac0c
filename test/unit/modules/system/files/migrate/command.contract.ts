import { beforeEach, describe, expect, test } from '@jest/globals';
import { createStorageMigrate } from '#cli/commands/storage.ts';
import { listFiles } from '#modules/System/files/manager/list-files.ts';
import { deleteItem } from '#shared/db/items.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { EngineName } from '#shared/storage/engines.ts';
import { createMemoryEngines, type MemoryEngine, unreachable } from '../../../../../doubles/memory-engine.ts';
import { keys } from '../../../../../support/keys.ts';
import { newFile, readFile } from '../fixture.ts';

let engines: Record<EngineName, MemoryEngine>;
let printed: string;
let progress: string;

const output = { write: (text: string) => (printed += text) };
const errorOutput = (isTTY: boolean) => ({ isTTY, write: (text: string) => (progress += text) });
const run = (words: string, isTTY = false, open = async (name: EngineName) => engines[name]) =>
  createStorageMigrate(open, output, errorOutput(isTTY))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .parseAsync(words.split(' '), { from: 'user' });

async function newStored(size = 3) {
  const file = await newFile({ size, engine: 'qiniu' });
  engines.qiniu.objects.set(file.key, new Uint8Array(size));
  return file;
}

/** `npm run service -- storage:migrate` */
export function describeCommand(): void {
  describe('the command storage:migrate', () => {
    beforeEach(async () => {
      engines = createMemoryEngines();
      printed = '';
      progress = '';
      for (const { id } of (await listFiles({ limit: 100 })).list) await deleteItem(keys.file(id));
    });

    test('moves files and shows how many', async () => {
      const [file] = [await newStored(), await newStored(2 * 1_048_576)];

      await run('--from qiniu --to aliyun');

      expect(printed).toBe('Moved 2 files, 2.0 MiB\n');
      expect(progress).toBe('0 of 2 files, 0.0 of 2.0 MiB\n');
      expect((await readFile(file.id))?.engine).toBe('aliyun');
      expect(engines.qiniu.objects.size).toBe(2);
    });

    test('deletes the source with --delete-source, also of earlier runs', async () => {
      await newStored();
      await run('--from qiniu --to aliyun');
      await newStored();
      printed = '';

      await run('--from qiniu --to aliyun --delete-source');

      expect(printed).toBe('Moved 1 files, 0.0 MiB; source copies of 1 moved before\n');
      expect(engines.qiniu.objects.size).toBe(0);
    });

    test('only counts with --dry-run', async () => {
      const file = await newStored();

      await run('--from qiniu --to aliyun --dry-run');

      expect(printed).toBe('Would move 1 files, 0.0 MiB\n');
      expect((await readFile(file.id))?.engine).toBe('qiniu');
    });

    test('fails if a file failed, and names it with the cause', async () => {
      const [file] = [await newStored(), await newStored()];
      engines.aliyun.before = (_operation, key) => {
        if (key === file.key) throw unreachable();
      };

      await expect(run('--from qiniu --to aliyun')).rejects.toThrow('1 failed: run this again');

      expect(progress).toMatch(new RegExp(`^${file.id}: .*\\(no route to it\\)$`, 'm'));
      expect(printed).toMatch(/^Moved 1 files, 0.0 MiB; 1 failed$/m);
    });

    test('ends after the current file when it is interrupted', async () => {
      for (let index = 0; index < 3; index += 1) await newStored();
      engines.aliyun.before = (operation) => {
        if (operation === 'put') process.emit('SIGINT', 'SIGINT');
      };
      const before = process.listenerCount('SIGINT');

      await expect(run('--from qiniu --to aliyun')).rejects.toThrow('Stopped before the end');

      expect(printed).toContain('Moved 1 files');
      expect(process.listenerCount('SIGINT')).toBe(before);
    });

    test('shows the progress on a terminal in one line', async () => {
      for (let index = 0; index < 4; index += 1) await newStored(1_048_576);

      await run('--from qiniu --to aliyun', true);

      expect(progress.split('\r').slice(1)).toEqual([
        '[--------------------] 0 of 4 files, 0.0 of 4.0 MiB\x1b[K',
        '[#####---------------] 1 of 4 files, 1.0 of 4.0 MiB\x1b[K',
        '[##########----------] 2 of 4 files, 2.0 of 4.0 MiB\x1b[K',
        '[###############-----] 3 of 4 files, 3.0 of 4.0 MiB\x1b[K',
        '[####################] 4 of 4 files, 4.0 of 4.0 MiB\x1b[K\n',
      ]);
      expect(printed).toBe('Moved 4 files, 4.0 MiB\n');
    });

    test('shows a full bar if there is nothing to move', async () => {
      await run('--from qiniu --to aliyun', true);

      expect(progress).toBe('\r[####################] 0 of 0 files, 0.0 of 0.0 MiB\x1b[K\n');
    });

    test('warns that new files still go to the source', async () => {
      await run('--from local --to aliyun');

      expect(progress).toMatch(/^New files still go to local: set storage\.default/);
    });

    test.each([
      ['', /required option '--from <ENGINE>' not specified/],
      ['--from local', /required option '--to <ENGINE>' not specified/],
      ['--from local --to local', /^--from and --to are the same engine$/],
      ['--from gcs --to local', /'gcs' is invalid\. Allowed choices are local, qiniu, aliyun, qcloud, s3/],
      ['--to local --from', /argument missing/],
      ['--from qiniu --to local --force', /unknown option '--force'/],
    ])('refuses %j', async (words, message) => {
      await expect(run(words)).rejects.toThrow(message);
    });

    test('names the engine that is not set up, and the missing settings', async () => {
      const cause = new Error('aliyun.bucket is not set');
      const open = async (name: EngineName) => {
        if (name === 'aliyun') throw new AppError('storage.not_configured', { cause });
        return engines[name];
      };

      await expect(run('--from qiniu --to aliyun', false, open)).rejects.toThrow(
        /^aliyun: .*\(aliyun\.bucket is not set\)$/,
      );
    });
  });
}
