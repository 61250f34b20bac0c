import type { SettingField, SettingsGroup } from '#functions/console/description.ts';

export type SettingValue = string | number | boolean | null;
/** Values of a group by key; a secret that is stored is a mask. */
export type Values = Record<string, SettingValue>;
/** What the operator has typed, by key. A secret is absent until it is typed; an empty one is removed. */
export type Draft = Values;

export interface Change {
  field: SettingField;
  before: SettingValue;
  after: SettingValue;
}

/** The value of a setting from what an input holds. An emptied input of a number is null. */
export const toSettingValue = (held: unknown): SettingValue =>
  typeof held === 'string' || typeof held === 'number' || typeof held === 'boolean' ? held : null;

type Fields = Pick<SettingsGroup, 'fields'>;

/** What a save of the draft would change. */
export function listChanges({ fields }: Fields, stored: Values, draft: Draft): Change[] {
  return fields.flatMap((field) => {
    const after = draft[field.name];
    const before = stored[field.name] ?? '';
    return after === undefined || after === before ? [] : [{ field, before, after }];
  });
}

export const toValues = (changes: readonly Change[]): Values =>
  Object.fromEntries(changes.map(({ field, after }) => [field.name, after]));

/** Stored secrets that must be typed again, because a host that gets them changes. */
export function listNeededSecrets({ fields }: Fields, stored: Values, draft: Draft): string[] {
  if (!listChanges({ fields }, stored, draft).some(({ field }) => field.isEndpoint)) return [];
  return fields.flatMap(({ name, type }) =>
    type === 'secret' && stored[name] && draft[name] === undefined ? [name] : [],
  );
}

/** Whether a save closes the site, as the site gate reads the setting. */
export const closesSite = (group: string, changes: readonly Change[]): boolean =>
  group === 'basics' &&
  changes.some(({ field, after }) => field.name === 'sys_status' && isClosed(String(after)));

const isClosed = (status: string): boolean => ['0', 'false', 'off'].includes(status);

/** Errors of a refused save: by key, and those of other fields. */
export function sortErrors(errors: readonly { path: string; message: string }[]) {
  const root = 'body.values.';
  const [own, others] = [true, false].map((isOwn) =>
    errors.filter(({ path }) => path.startsWith(root) === isOwn),
  );
  return {
    fields: new Map(own?.map(({ path, message }) => [path.slice(root.length), message])),
    others: (others ?? []).map(({ path, message }) => `${path}: ${message}`),
  };
}
