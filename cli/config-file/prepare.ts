import { createHash } from 'node:crypto';
import { AppError } from '#shared/errors/app-error.ts';
import { checkSettings } from '#shared/settings/save.ts';
import { explain } from '../command.ts';
import { translateDetails } from '../translate.ts';
import type { Change, Note, Plan } from './changes.ts';
import { type ConfigFile, formatConfigFile } from './format.ts';
import { planConfig } from './plan.ts';
import { findUsed, listSecrets, type Stage, toContent } from './stage.ts';

/** A plan with what it was made of. */
export interface PreparedPlan extends Plan {
  /** SHA-256 of the stage, the file and the option that the plan has seen, in hexadecimal. */
  digest: string;
}

/** Plans, and checks what only the stage knows: values in use, and settings that depend on each other. */
export async function preparePlan(stage: Stage, file: ConfigFile, prune: boolean): Promise<PreparedPlan> {
  const used = prune ? await readUsed(stage, file) : new Map();
  const plan = await checkGroups(planConfig(stage, file, { prune, used }), stage);
  const seen = [formatConfigFile(toContent(stage)), formatConfigFile(file), prune];
  return { ...plan, digest: hash(seen) };
}

export const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

async function readUsed({ types }: Stage, { dictionaries }: ConfigFile): Promise<Map<string, Set<string>>> {
  const used = new Map<string, Set<string>>();
  for (const { type_key, items } of types) {
    const kept = dictionaries.find((type) => type.type_key === type_key)?.items ?? [];
    const values = new Set(kept.map(({ value }) => value));
    const others = items.map(({ value }) => value).filter((value) => !values.has(value));
    used.set(type_key, await findUsed(type_key, others));
  }
  return used;
}

/** Checks the settings as a save does, without saving. */
async function checkGroups({ changes, left, faults }: Plan, stage: Stage): Promise<Plan> {
  const checked: Plan = { changes: [], left: [...left], faults: [...faults] };
  const lacking = new Set(stage.groups.flatMap((each) => listSecrets(each, false)));
  for (const change of changes) {
    const refusals = await findRefusals(change, changes);
    const isForSecrets = refusals.every(({ path }) => lacking.has(path));
    if (refusals.length === 0) checked.changes.push(change);
    else if (isForSecrets) checked.left.push(toLeft(change, refusals));
    else checked.faults.push(...refusals.map(({ reason }) => ({ record: change.record, reason })));
  }
  return checked;
}

interface Refusal {
  path: string;
  reason: string;
}

async function findRefusals(change: Change, changes: readonly Change[]): Promise<Refusal[]> {
  if (change.kind !== 'settings') return [];
  const { group } = change.old;
  try {
    await checkSettings(group, change.now, group.name);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { errors = [] } = error;
    if (errors.length === 0) return [{ path: group.name, reason: explain(error) }];
    return translateDetails(errors.filter(({ path }) => !isGiven(path, changes))).map(
      ({ path, message }) => ({
        path,
        reason: `${path}: ${message}`,
      }),
    );
  }
}

/** Whether the plan gives the setting a value, before the group that needs it is saved. */
const isGiven = (path: string, changes: readonly Change[]): boolean =>
  changes.some(({ record, fields }) =>
    fields.some(({ name, now }) => now !== '' && path === `${record.replace('config:', '')}.${name}`),
  );

const toLeft = ({ record }: Change, refusals: readonly Refusal[]): Note => ({
  record,
  reason: `the stage lacks secrets that it needs: ${refusals.map(({ path }) => path).join(', ')}`,
});
