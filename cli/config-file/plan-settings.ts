import { isDeepStrictEqual } from 'node:util';
import { validate } from '#shared/i18n/validate.ts';
import { createSaveSchema } from '#shared/settings/save.ts';
import { translateDetails } from '../translate.ts';
import { type Change, compare, type Note, notInFile, type Plan, type PlanOptions } from './changes.ts';
import type { ConfigFile } from './format.ts';
import { listSecrets, type Stage, type StageGroup } from './stage.ts';

type Values = Record<string, unknown>;

export function planSettings(
  { groups }: Pick<Stage, 'groups'>,
  { settings, secrets }: Pick<ConfigFile, 'settings' | 'secrets'>,
  { prune }: Pick<PlanOptions, 'prune'>,
): Plan {
  const wanted = new Map(Object.entries(settings));
  const parts = groups.map((each) => planGroup(each, wanted.get(each.group.name) ?? {}, prune));
  const known = new Set(groups.map(({ group }) => group.name));
  const unknown = [...wanted.keys()]
    .filter((name) => !known.has(name))
    .map((name) => ({
      record: nameGroup(name),
      reason: 'no module that is enabled here has these settings',
    }));
  const changes = parts.flatMap((part) => part.changes ?? []);
  // Groups with checks of their own may need the settings of others.
  const isChecked = (change: Change) =>
    change.kind === 'settings' && change.old.group.findFaults !== undefined;
  return {
    changes: [...changes.filter((each) => !isChecked(each)), ...changes.filter(isChecked)],
    left: [...unknown, ...parts.flatMap((part) => part.left ?? []), ...listMissing(groups, secrets)],
    faults: parts.flatMap((part) => part.faults ?? []),
  };
}

const nameGroup = (name: string): string => `config:${name}`;

function planGroup(stage: StageGroup, given: Values, prune: boolean): Partial<Plan> {
  const { group, values } = stage;
  const record = nameGroup(group.name);
  const faults = findFaults(stage, given);
  if (faults.length > 0) return { faults };
  const { value, issues = [] } = validate(createSaveSchema(group, given), given, group.name);
  if (issues.length > 0) {
    const reasons = translateDetails(issues).map(({ path, message }) => `${path}: ${message}`);
    return { faults: reasons.map((reason) => ({ record, reason })) };
  }
  const defaults = listDefaults(stage, given);
  const now = listDifferent(values, { ...value, ...(prune && defaults) });
  const left = prune
    ? []
    : Object.keys(defaults).map((key) => ({ record, reason: `${group.name}.${key}: ${notInFile}` }));
  const endpoint = Object.keys(now).find((key) => group.keys[key]?.endpoint);
  if (endpoint !== undefined && listSecrets(stage, true).length > 0) {
    const reason = `${group.name}.${endpoint} is an endpoint that gets the secrets of the stage; save the group with config:set`;
    return { left: [...left, { record, reason }] };
  }
  const fields = compare(Object.fromEntries(Object.keys(now).map((key) => [key, values[key]])), now);
  return { changes: fields.length > 0 ? [{ record, kind: 'settings', fields, old: stage, now }] : [], left };
}

/** Keys that the group does not have, and secrets. Their values are not named. */
function findFaults({ group }: StageGroup, given: Values): Note[] {
  const record = nameGroup(group.name);
  return Object.keys(given).flatMap((key) => {
    const declared = Object.hasOwn(group.keys, key) ? group.keys[key] : undefined;
    if (!declared) return [{ record, reason: `${group.name}.${key}: there is no such setting` }];
    if (declared.secret)
      return [
        {
          record,
          reason: `${group.name}.${key} is a secret; take it out of the file, and set it with config:set`,
        },
      ];
    return [];
  });
}

/** The defaults of settings that the file does not have, and that have another value. */
const listDefaults = ({ group, values }: StageGroup, given: Values): Values =>
  listDifferent(
    values,
    Object.fromEntries(
      Object.keys(values)
        .filter((key) => !Object.hasOwn(given, key))
        .map((key) => [key, group.keys[key]?.default]),
    ),
  );

const listDifferent = (values: Values, wanted: Values): Values =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => value !== undefined && !isDeepStrictEqual(value, values[key]),
    ),
  );

/** Secrets of the file's stage that this one lacks. */
const listMissing = (groups: readonly StageGroup[], secrets: readonly string[]): Note[] =>
  groups.flatMap((each) =>
    listSecrets(each, false)
      .filter((name) => secrets.includes(name))
      .map((name) => ({
        record: nameGroup(each.group.name),
        reason: `the stage lacks the secret ${name}; set it with config:set`,
      })),
  );
