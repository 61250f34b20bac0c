import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { retryOnConflict, versionConflict } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { transactionLimit } from '#shared/db/write.ts';
import { removeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError, type ErrorDetail } from '#shared/errors/app-error.ts';
import { assertPublicEndpoint } from '#shared/net/endpoint.ts';
import { secret as markSecret } from '#shared/schema/marks.ts';
import { isLine } from '#shared/schema/text.ts';
import { type ConfigGroup, configKey } from './group.ts';
import {
  openValues,
  readStored,
  type StoredValues,
  secretMask,
  storedSettings,
  writeValues,
} from './store.ts';

type Values = Record<string, unknown>;

/** @throws AppError `config.unknown_key` if no module declares the group */
export function findGroup(groups: readonly ConfigGroup[], name: string): ConfigGroup {
  const group = groups.find((candidate) => candidate.name === name);
  if (!group) throw unknown(['body.group']);
  return group;
}

/** The schema of a save: any keys of the group, and masks for its secrets. @throws AppError `config.unknown_key` */
export function createSaveSchema(group: ConfigGroup, values: Values): z.ZodMiniObject {
  const unknownKeys = Object.keys(values).filter((name) => !Object.hasOwn(group.keys, name));
  if (unknownKeys.length > 0) throw unknown(unknownKeys.map((name) => `body.values.${name}`));
  const fields = Object.entries(group.keys).map(([name, { schema, secret, endpoint }]) => {
    const taken = secret ? markSecret(z.union([z.literal(secretMask), schema])) : schema;
    return [name, z.optional(z.pipe(taken, endpoint ? storableEndpoint : storable))] as const;
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** Most bytes of a text, so that an encrypted text fits into an item, and a group into a transaction. */
const maxTextBytes = 64 * 1024;

const isShortEnough = (value: unknown): boolean =>
  typeof value !== 'string' || Buffer.byteLength(value) <= maxTextBytes;

/** Applied after a setting's own schema. */
const storable = z.unknown().check(
  z.refine((value) => typeof value !== 'string' || value.isWellFormed(), { error: 'rule.well_formed' }),
  z.refine(isShortEnough, { error: 'rule.html_size', params: { max: maxTextBytes } }),
);

/** A line break in a host or URL would break a header. */
const storableEndpoint = z.pipe(
  storable,
  z.unknown().check(z.refine((value) => typeof value !== 'string' || isLine(value), { error: 'rule.line' })),
);

/** Attempts of a save that conflicts with changes of endpoints. */
const tries = 3;

/**
 * Saves some settings of a group, all or nothing.
 *
 * @param values the output of {@link createSaveSchema}; a mask keeps the stored secret
 * @param root first part of the paths of errors
 * @param known the stored values that the caller has seen: if others are stored, nothing is saved. @default any
 * @throws AppError `request.invalid` if the group finds faults, or if an endpoint changes without the group's secrets
 *   (a caller could send a hidden key to another host); `config.endpoint_denied`; `version_conflict`
 */
export function saveSettings(
  group: ConfigGroup,
  values: Values,
  root = 'body.values',
  known?: StoredValues,
): Promise<void> {
  return retryOnConflict(known ? 1 : tries, () => trySave(group, values, root, known));
}

/** @throws AppError `version_conflict` if an endpoint that is saved changed since it was read */
async function trySave(
  group: ConfigGroup,
  values: Values,
  root: string,
  known: StoredValues | undefined,
): Promise<void> {
  const { given, stored } = await checkSettings(group, values, root);
  if (known && !isDeepStrictEqual(stored, known)) throw versionConflict();
  await writeValues(group, given, stored);
}

/**
 * Checks a save without saving. @returns what it gives, and the group's stored values and settings after it
 * @throws AppError as {@link saveSettings}
 */
export async function checkSettings(group: ConfigGroup, values: Values, root = 'body.values') {
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
  return { given, stored, settings };
}

/** New values of changed endpoints; also of cleared ones, because then a default host is used. */
function listChangedEndpoints(group: ConfigGroup, stored: StoredValues, given: Values): unknown[] {
  const current: Values = openValues(group, stored);
  return Object.entries(given).flatMap(([name, value]) =>
    group.keys[name]?.endpoint && value !== current[name] ? [value] : [],
  );
}

/** Stored secrets that a save does not contain. */
function listHiddenSecrets(group: ConfigGroup, stored: StoredValues, given: Values): ErrorDetail[] {
  return Object.entries(group.keys)
    .filter(([name, { secret }]) => secret && Object.hasOwn(stored, name) && !Object.hasOwn(given, name))
    .map(([name]) => ({ path: `${group.name}.${name}`, message: 'rule.secret_with_endpoint' }));
}

/** The path of a setting in the request; for another group, `group.key`. */
function toPath({ name, keys }: ConfigGroup, path: string, root: string): string {
  const key = path.slice(name.length + 1);
  return path === `${name}.${key}` && Object.hasOwn(keys, key) ? `${root}.${key}` : path;
}

const toUrl = (endpoint: string): string => (endpoint.includes('://') ? endpoint : `https://${endpoint}`);

function unknown(paths: string[]): AppError {
  const errors = paths.map((path) => ({ path, message: 'config.unknown_key' }));
  return new AppError('config.unknown_key', { errors });
}

/** Removes all stored settings of a group, also undeclared ones, and returns their number. Idempotent. */
export async function removeSettings(group: ConfigGroup): Promise<number> {
  const names = Object.keys(await readStored(group.name));
  const writes = names.map(
    (name): Write => ({
      ...removeItem(storedSettings.key({ group: group.name, name })),
      replaced: 'nothing',
    }),
  );
  try {
    for (let at = 0; at < writes.length; at += transactionLimit) {
      await transact(writes.slice(at, at + transactionLimit));
    }
  } finally {
    group.onSaved?.();
  }
  return names.length;
}

export const writtenKeys: ListWrittenKeys = () => [configKey('*', '').pk];
