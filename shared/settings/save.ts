import * as z from 'zod/mini';
import { retryOnConflict } from '#shared/db/entity.ts';
import { transact, transactionLimit } from '#shared/db/items.ts';
import { removeItem } from '#shared/db/writes.ts';
import { AppError, type ErrorDetail } from '#shared/errors/app-error.ts';
import { assertPublicEndpoint } from '#shared/net/endpoint.ts';
import { isLine } from '#shared/schema/text.ts';
import { type ConfigGroup, configKey } from './group.ts';
import {
  invalidateSettings,
  openValues,
  readStored,
  type StoredValues,
  secretMask,
  writeValues,
} from './store.ts';

type Values = Record<string, unknown>;

/** @throws AppError `config.unknown_key` for a group that no module declares */
export function findGroup(groups: readonly ConfigGroup[], name: string): ConfigGroup {
  const group = groups.find((candidate) => candidate.name === name);
  if (!group) throw unknown(['body.group']);
  return group;
}

/**
 * The schema of what a save may hold: any of the group's keys, and masks for its secrets.
 *
 * @throws AppError `config.unknown_key` naming each key of `values` that the group does not declare
 */
export function createSaveSchema(group: ConfigGroup, values: Values): z.core.$ZodType {
  const strangers = Object.keys(values).filter((name) => !Object.hasOwn(group.keys, name));
  if (strangers.length > 0) throw unknown(strangers.map((name) => `body.values.${name}`));
  const fields = Object.entries(group.keys).map(([name, { schema, secret, endpoint }]) => {
    const taken = secret ? z.union([z.literal(secretMask), schema]) : schema;
    return [name, z.optional(z.pipe(taken, endpoint ? storableEndpoint : storable))] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** Most bytes of a text: an item holds it sealed too, and a transaction a whole group. */
const maxTextBytes = 64 * 1024;

const isShortEnough = (value: unknown): boolean =>
  typeof value !== 'string' || Buffer.byteLength(value) <= maxTextBytes;

/** What a setting's own schema has made; no setting has to say that its texts can be stored. */
const storable = z.unknown().check(
  z.refine((value) => typeof value !== 'string' || value.isWellFormed(), { error: 'rule.well_formed' }),
  z.refine(isShortEnough, { error: 'rule.html_size', params: { max: maxTextBytes } }),
);

/** No host or URL may break the line of a header, even if its own schema lets it. */
const storableEndpoint = z.pipe(
  storable,
  z.unknown().check(z.refine((value) => typeof value !== 'string' || isLine(value), { error: 'rule.line' })),
);

/** How often a save is tried if endpoints change at the same time. */
const tries = 3;

/**
 * Saves some settings of a group, all or nothing.
 *
 * @param values what {@link createSaveSchema} made of the input; a mask keeps the stored secret
 * @param root what the paths of errors begin with
 * @throws AppError `request.invalid` when the group finds faults, or when an endpoint changes without the group's
 *   secrets in the same save, which would send a hidden key to a host of the caller's choice; `config.endpoint_denied`; `version_conflict`
 *   when others keep changing the endpoints
 */
export function saveSettings(group: ConfigGroup, values: Values, root = 'body.values'): Promise<void> {
  return retryOnConflict(tries, () => trySave(group, values, root));
}

/** @throws AppError `version_conflict` if an endpoint that is saved changed since it was read */
async function trySave(group: ConfigGroup, values: Values, root: string): Promise<void> {
  const stored = await readStored(group.name);
  const given = Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && !(group.keys[name]?.secret && value === secretMask),
    ),
  );
  const changed = listChangedEndpoints(group, stored, given);
  const settings = { ...openValues(group, stored), ...given };
  const faults = [
    ...(changed.length > 0 ? listHiddenSecrets(group, stored, given) : []),
    ...((await group.findFaults?.(given, settings)) ?? []),
  ];
  if (faults.length > 0) {
    const errors = faults.map(({ path, message }) => ({ path: toPath(group, path, root), message }));
    throw new AppError('request.invalid', { errors });
  }
  const addresses = changed.filter((value) => typeof value === 'string' && value !== '');
  for (const address of addresses) await assertPublicEndpoint(toUrl(String(address)));
  await writeValues(group, given, stored);
}

/** New values of the endpoints that a save changes; cleared ones too, since then a default host counts. */
function listChangedEndpoints(group: ConfigGroup, stored: StoredValues, given: Values): unknown[] {
  const current: Values = openValues(group, stored);
  return Object.entries(given).flatMap(([name, value]) =>
    group.keys[name]?.endpoint && value !== current[name] ? [value] : [],
  );
}

/** Stored secrets that a save does not bring anew. */
function listHiddenSecrets(group: ConfigGroup, stored: StoredValues, given: Values): ErrorDetail[] {
  return Object.entries(group.keys)
    .filter(([name, { secret }]) => secret && Object.hasOwn(stored, name) && !Object.hasOwn(given, name))
    .map(([name]) => ({ path: `${group.name}.${name}`, message: 'rule.secret_with_endpoint' }));
}

/** Names a setting of the saved group as the caller wrote it; one of another group stays `group.key`. */
function toPath({ name, keys }: ConfigGroup, path: string, root: string): string {
  const key = path.slice(name.length + 1);
  return path === `${name}.${key}` && Object.hasOwn(keys, key) ? `${root}.${key}` : path;
}

const toUrl = (endpoint: string): string => (endpoint.includes('://') ? endpoint : `https://${endpoint}`);

function unknown(paths: string[]): AppError {
  const errors = paths.map((path) => ({ path, message: 'config.unknown_key' }));
  return new AppError('config.unknown_key', { errors });
}

/**
 * Removes whatever is stored of a group, of keys that it no longer declares too, so that its defaults count;
 * repeating an interrupted removal finishes it.
 *
 * @returns how many settings were stored
 */
export async function removeSettings(group: ConfigGroup): Promise<number> {
  const names = Object.keys(await readStored(group.name));
  const writes = names.map((name) => removeItem(configKey(group.name, name)));
  try {
    for (let at = 0; at < writes.length; at += transactionLimit) {
      await transact(writes.slice(at, at + transactionLimit));
    }
  } finally {
    await invalidateSettings(group.name, group);
  }
  return names.length;
}
