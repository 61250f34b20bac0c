import '../../../support/environment.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import type { RawAnswer } from '#shared/http/raw-answer.ts';
import { linkStorage } from '#shared/storage/engines/local/folders.ts';
import { createTempDir } from '../../../support/local-server.ts';

const partSize = 4_194_304;
const path = 'uploads/video/20240229/103045000102030405060708090a0b.mp4';

const storageDir = createTempDir();
linkStorage(storageDir);

function place(sizeBytes: number): void {
  const file = join(storageDir, 'storage', 'public', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.alloc(sizeBytes, 'x'));
}

type Serve = (method: string, headers?: Record<string, string>) => Promise<RawAnswer>;

/** Runs `work` with `serveFile` of a process in this environment. */
async function withServer(environment: Record<string, string>, work: (serve: Serve) => Promise<void>) {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    await jest.isolateModulesAsync(async () => {
      const { serveFile } = await import('#modules/System/files/serve-file.ts');
      await work((method, headers = {}) => serveFile(path, method, headers, new URLSearchParams()));
    });
  } finally {
    process.env = before;
  }
}

const local = { STORAGE_DIR: storageDir };
const deployed = { ...local, AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001' };

describe('serveFile, deployed,', () => {
  test('serves a file whole if it fits into an answer, and requires ranges for a larger one', () =>
    withServer(deployed, async (serve) => {
      place(partSize);
      expect(await serve('GET')).toMatchObject({ status: 200 });

      place(partSize + 1);
      await expect(serve('GET')).rejects.toMatchObject({ code: 'storage.range_required' });
      // An ignored range counts as no range.
      await expect(serve('GET', { range: 'bytes=0-1,3-4' })).rejects.toMatchObject({
        code: 'storage.range_required',
      });
    }));

  test('answers ranges, HEAD and If-None-Match for a larger file', () =>
    withServer(deployed, async (serve) => {
      place(partSize + 1);

      const { status, headers, body } = await serve('GET', { range: 'bytes=0-' });
      expect([status, body?.length]).toEqual([206, partSize]);
      expect(headers['content-range']).toBe(`bytes 0-${partSize - 1}/${partSize + 1}`);
      const head = await serve('HEAD');
      expect(head).toMatchObject({ status: 200, body: undefined });
      expect(head.headers['content-length']).toBe(String(partSize + 1));
      const again = await serve('GET', { 'if-none-match': headers.etag ?? '' });
      expect(again).toMatchObject({ status: 304, body: undefined });
    }));

  test('finds nothing without a disk', () =>
    withServer({ ...deployed, STORAGE_DIR: '', DATA_DIR: storageDir }, async (serve) => {
      await expect(serve('GET')).rejects.toMatchObject({ code: 'storage.file_not_found' });
    }));
});

test('serveFile derives the ETag from size and time', () =>
  withServer(local, async (serve) => {
    place(10);
    const first = (await serve('HEAD')).headers.etag;
    place(11);
    const second = (await serve('HEAD')).headers.etag;

    expect(second).not.toBe(first);
  }));
