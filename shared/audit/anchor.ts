import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvironmentError, environment } from '#shared/config/environment.ts';

/**
 * A text about the audit log that is kept outside of its table: deployed a parameter of AWS Systems Manager, locally a
 * file in `DATA_DIR`. Only the jobs of the audit log and commands may write it.
 */
export interface Anchor {
  /** The text; undefined if it does not exist. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** `end`: the end of the log. `verified`: how far the job has verified it. */
export const anchorNames = ['end', 'verified'] as const;
type AnchorName = (typeof anchorNames)[number];

/** The parameter of a table. @param table its name, or a reference to it in a template */
export const anchorParameter = (table: string, name: AnchorName | '*'): string =>
  `/audit-log/${table}/${name}`;

/** The file of a local table in `DATA_DIR`. */
export const toAnchorFile = (table: string, name: AnchorName): string => `audit-log-${table}-${name}.json`;

/** An anchor of the table of this process. @throws EnvironmentError if a local table has no `DATA_DIR` */
export async function openAnchor(name: AnchorName = 'end'): Promise<Anchor> {
  const { dynamodbEndpoint, dataDir, tableName } = environment();
  if (!dynamodbEndpoint) {
    // Only the jobs of the audit log and commands need this SDK.
    return (await import('./anchor-parameter.ts')).openParameter(anchorParameter(tableName, name));
  }
  if (!dataDir) throw new EnvironmentError('DATA_DIR is not set: the end of the audit log is kept there');
  return createFileAnchor(join(dataDir, toAnchorFile(tableName, name)));
}

/** An anchor in a file that only its owner can read. */
export const createFileAnchor = (file: string): Anchor => ({
  async read() {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      if (Object(error).code === 'ENOENT') return undefined;
      throw error;
    }
  },
  async write(text) {
    // Renamed, so that an interrupted write leaves no incomplete file. Two processes may write at once.
    const draft = `${file}.${process.pid}.new`;
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, file);
  },
});
