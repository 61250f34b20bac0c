import * as z from 'zod/mini';
import type { Change } from './changes.ts';
import { type ConfigFile, formatConfigFile } from './format.ts';
import { hash, type PreparedPlan } from './prepare.ts';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** What `config:plan --save` keeps: hashes, no values. */
const savedPlan = z.strictObject({
  format: z.literal(1),
  digest: sha256,
  /** The hash of the file and `--prune`. */
  wanted: sha256,
  /** The state that each record must still have, by its name. */
  records: z.record(z.string(), sha256),
});

const hashWanted = (file: ConfigFile, prune: boolean): string => hash([formatConfigFile(file), prune]);

/** The state of a record: what the plan compares, and of settings which are stored, secrets too. */
const hashState = (change: Change): string =>
  change.kind === 'settings'
    ? hash([change.old.values, Object.keys(change.old.stored).sort()])
    : hash(change.fields.map(({ name, old }) => [name, old ?? null]));

/** The text of a saved plan. */
export function savePlan({ changes, digest }: PreparedPlan, file: ConfigFile, prune: boolean): string {
  const records = Object.fromEntries(changes.map((change) => [change.record, hashState(change)]));
  const saved: z.infer<typeof savedPlan> = { format: 1, digest, wanted: hashWanted(file, prune), records };
  return `${JSON.stringify(saved, null, 2)}\n`;
}

/**
 * Refuses changes of records that are not as a saved plan has seen them. Those that the plan has brought already need
 * no change, so that a repeat goes on.
 *
 * @throws Error with the names of the records; if the plan was made for another file, or with another `--prune`
 */
export function assertAsSaved(
  text: string,
  { changes }: PreparedPlan,
  file: ConfigFile,
  prune: boolean,
): void {
  const { wanted, records } = readSaved(text);
  if (wanted !== hashWanted(file, prune))
    throw new Error('The plan was made for another file, or differs in --prune. Nothing was written.');
  const others = changes.filter((change) => records[change.record] !== hashState(change));
  if (others.length === 0) return;
  const names = others.map(({ record }) => record);
  throw new Error(
    `Since the plan was made, others have changed: ${names.join(', ')}. Nothing was written; plan again.`,
  );
}

function readSaved(text: string): z.infer<typeof savedPlan> {
  try {
    return z.parse(savedPlan, JSON.parse(text));
  } catch (error) {
    throw new Error('The plan is not one of config:plan --save', { cause: error });
  }
}
