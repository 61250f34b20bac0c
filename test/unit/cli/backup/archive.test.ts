import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pack } from 'tar-stream';
import { createArchive, isEntryName, readArchive } from '#cli/backup/archive.ts';
import { parseItems, type RawItem, renderItems } from '#cli/backup/items.ts';
import { anyString } from '../../../support/any-string.ts';
import { createTempDir } from '../../../support/local-server.ts';

const folder = createTempDir();
let count = 0;
const newFile = () => {
  count += 1;
  return join(folder, `${count}.tar`);
};

type Entries = [name: string, bytes: Uint8Array][];

async function write(entries: Entries): Promise<string> {
  const file = newFile();
  const archive = await createArchive(file);
  for (const [name, bytes] of entries) await archive.addBytes(name, bytes);
  await archive.finish();
  return file;
}

async function read(file: string): Promise<Entries> {
  const found: Entries = [];
  await readArchive(file, async (name, content) => {
    found.push([name, new Uint8Array(await Array.fromAsync(content).then((all) => Buffer.concat(all)))]);
  });
  return found;
}

/** What reading a file leads to: its entries, or `refused`. */
const readOrRefuse = (file: string): Promise<Entries | 'refused'> =>
  read(file).catch((error) => {
    // One that no code has expected would be shown without a reason that helps.
    if (error.name !== 'ArchiveError') throw error;
    return 'refused';
  });

/** A tar file as others may write it. */
async function writeTar(
  entries: { name: string; type?: 'symlink' | 'directory'; text?: string }[],
  sums = true,
): Promise<string> {
  const tar = pack();
  for (const { name, type = 'file', text = '' } of entries)
    tar.entry({ name, type, linkname: '/etc/passwd' }, text);
  const lines = entries.map(
    ({ name, text = '' }) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`,
  );
  if (sums) tar.entry({ name: 'SHA256SUMS' }, lines.join(''));
  tar.finalize();
  const file = newFile();
  writeFileSync(file, await buffer(tar));
  return file;
}

const entryName = fc.oneof(
  fc.integer({ min: 0, max: 999_999 }).map((number) => `items/${String(number).padStart(6, '0')}.jsonl`),
  fc
    .array(fc.stringMatching(/^[a-z0-9_-][a-z0-9_.-]{0,40}$/), { minLength: 1, maxLength: 8 })
    .map((parts) => `storage/${parts.join('/')}`),
);
const entries = fc.uniqueArray(fc.tuple(entryName, fc.uint8Array({ maxLength: 3000 })), {
  selector: ([name]) => name,
  maxLength: 6,
});

describe('an archive', () => {
  test('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (written) => {
        expect(await read(await write(written))).toEqual(written);
      }),
      { numRuns: 60 },
    );
  });

  test('whose bytes were changed is refused, or read as it was written', async () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }));
    const changes = fc.array(change, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(entries, changes, async (written, all) => {
        const file = await write(written);
        const bytes = readFileSync(file);
        for (const [place, mask] of all)
          bytes[place % bytes.length] = Number(bytes[place % bytes.length]) ^ mask;
        writeFileSync(file, bytes);

        expect(['refused', written]).toContainEqual(await readOrRefuse(file));
      }),
      { numRuns: 150 },
    );
  });

  test('is refused for each changed byte that means something', async () => {
    const written: Entries = [['items/000001.jsonl', Buffer.from('{"pk":{"S":"A"}}\n')]];
    const file = await write(written);
    const whole = readFileSync(file);
    const accepted = [];
    for (let place = 0; place < whole.length; place += 1) {
      if (whole[place] === 0) continue;
      const bytes = Buffer.from(whole);
      bytes[place] = Number(bytes[place]) ^ 0x01;
      writeFileSync(file, bytes);
      const found = await readOrRefuse(file);
      if (found === 'refused') continue;
      expect(found).toEqual(written.map(([name, content]) => [name, new Uint8Array(content)]));
      accepted.push(place);
    }

    // The space behind the checksum of each header.
    expect(accepted.length).toBeLessThanOrEqual(2);
  });

  test('that was cut is refused, unless only zeros behind its end are missing', async () => {
    await fc.assert(
      fc.asyncProperty(entries, fc.nat(), async (written, place) => {
        const file = await write(written);
        const bytes = readFileSync(file);
        const length = place % bytes.length;
        writeFileSync(file, bytes.subarray(0, length));
        const isComplete = bytes.subarray(length).every((byte) => byte === 0);

        expect(await readOrRefuse(file)).toEqual(isComplete ? expect.anything() : 'refused');
      }),
      { numRuns: 80 },
    );
  });

  test.each([
    ['is empty', ''],
    ['is a text', 'This is a text.\n'.repeat(100)],
    ['holds only zeros', '\0'.repeat(2048)],
  ])('that %s is refused', async (_title, text) => {
    const file = newFile();
    writeFileSync(file, text);

    await expect(read(file)).rejects.toMatchObject({ name: 'ArchiveError' });
  });

  test.each([
    '../secrets.json',
    'storage/../../secrets.json',
    'storage/..',
    'storage/./a',
    'storage//a',
    '/storage/a',
    'storage/.ssh',
    'storage',
    'storage\\..\\a',
    'data/../secrets.json',
    'data/a.txt',
    'items/1.jsonl',
    'items/0000001.jsonl',
    'backup.json/..',
    'storage/a\n',
    `storage/${'a/'.repeat(16)}a`,
    `storage/${'a'.repeat(500)}`,
  ])('with the entry %j is refused, and nothing of it is handed out', async (name) => {
    expect(isEntryName(name)).toBe(false);
    const handed: string[] = [];
    const reading = readArchive(
      await writeTar([{ name, text: 'a' }]),
      async (each) => void handed.push(each),
    );

    await expect(reading).rejects.toMatchObject({ name: 'ArchiveError' });
    expect(handed).toEqual([]);
  });

  test.each<[string, Parameters<typeof writeTar>]>([
    ['a link', [[{ name: 'storage/a', type: 'symlink' }]]],
    ['a folder', [[{ name: 'storage/a', type: 'directory' }]]],
    ['an entry twice', [[{ name: 'storage/a' }, { name: 'storage/a' }]]],
    ['no sums', [[{ name: 'storage/a' }], false]],
    [
      'an entry behind the sums',
      [[{ name: 'storage/a' }, { name: 'SHA256SUMS' }, { name: 'storage/b' }], false],
    ],
  ])('with %s is refused', async (_title, args) => {
    await expect(read(await writeTar(...args))).rejects.toMatchObject({ name: 'ArchiveError' });
  });

  test('without an entry that its sums name is refused', async () => {
    const sums = `${'0'.repeat(64)}  storage/b\n`;
    const file = await writeTar([{ name: 'SHA256SUMS', text: sums }], false);

    await expect(read(file)).rejects.toThrow('storage/b is missing');
  });

  test('is readable by its owner only, and has its name only when it is complete', async () => {
    const file = newFile();
    const archive = await createArchive(file);
    await archive.addBytes('storage/a', Buffer.from('a'));
    expect(existsSync(file)).toBe(false);
    await archive.finish();

    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('replaces no file, also none that came meanwhile', async () => {
    const file = newFile();
    const archive = await createArchive(file);
    writeFileSync(file, 'mine');
    await expect(archive.finish()).rejects.toMatchObject({ code: 'EEXIST' });
    archive.discard();

    await expect(createArchive(file)).rejects.toThrow('exists');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('fails with an entry that cannot be read', async () => {
    const archive = await createArchive(newFile());

    await expect(archive.addFile('storage/a', folder)).rejects.toThrow();
    archive.discard();
  });
});

describe('items', () => {
  const bytes = fc.uint8Array({ maxLength: 20 }).map((each) => Buffer.from(each));
  const name = fc.oneof(fc.constantFrom('B', 'BS', 'S', 'L', 'pk'), fc.string());
  const { value: anyValue } = fc.letrec<{ value: object }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.record({ S: anyString() }),
      fc.record({ N: fc.bigInt().map(String) }),
      fc.record({ BOOL: fc.boolean() }),
      fc.record({ B: bytes }),
      fc.record({ BS: fc.array(bytes) }),
      fc.record({ SS: fc.array(fc.string()) }),
      fc.record({ L: fc.array(tie('value'), { maxLength: 3 }) }),
      fc.record({ M: fc.dictionary(name, tie('value'), { maxKeys: 3 }) }),
    ),
  }));

  test('are the same after they were written as lines and read', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(name, anyValue), { maxLength: 4 }), (items) => {
        expect(parseItems(renderItems(items as unknown as RawItem[]))).toEqual(items);
      }),
      { numRuns: 300 },
    );
  });
});
