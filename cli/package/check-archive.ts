import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readDirectory } from '#shared/storage/checks/zip/read-directory.ts';
import { readBundle } from './budgets/measure-bundle.ts';

/** Where a bundle lies in a package: as its entry does in the project. */
const folder = '.build/entries';

/**
 * What is wrong with the archive of a function: it holds the function's own bundle and nothing else.
 *
 * @param archive path of the zip
 * @param bundle path of the entry's bundle
 * @param others what else it has to hold
 */
export async function checkArchive(
  archive: string,
  bundle: string,
  others: readonly string[],
): Promise<string[]> {
  const bytes = readFileSync(archive);
  const entries = await readDirectory({
    ext: 'zip',
    head: bytes,
    sizeBytes: bytes.length,
    readAll: async () => bytes,
    readRange: async (start, end) => bytes.subarray(start, end),
  });
  if (!entries) return [`${basename(archive)} cannot be read`];
  const found = entries.map(({ name }) => name);
  const own = [...readBundle(dirname(bundle), basename(bundle)).keys()].map((file) => `${folder}/${file}`);
  const expected = [...own, ...others];
  return [
    ...expected.filter((name) => !found.includes(name)).map((name) => `${basename(archive)} lacks ${name}`),
    ...found.filter((name) => !expected.includes(name)).map((name) => `${basename(archive)} holds ${name}`),
  ];
}
