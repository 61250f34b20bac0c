import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/**
 * Reads a text in UTF-8.
 *
 * @param file `-` for standard input
 * @param advice ends the error of other encodings
 * @throws Error if it cannot be read, or is not UTF-8
 */
export async function readText(file: string, advice = ''): Promise<string> {
  const reading = file === '-' ? buffer(process.stdin) : readFile(file);
  const bytes = await reading.catch((error) => {
    throw new Error(`${file} cannot be read (${error.code})`, { cause: error });
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`The file is not UTF-8${advice}`, { cause: error });
  }
}
