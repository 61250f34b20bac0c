import * as z from 'zod/mini';
import { newDictItem, newDictType } from '#shared/dict/schema.ts';
import type { DictSeed } from '#shared/dict/seed.ts';
import { sharedMessages } from '#shared/i18n/shared-messages.ts';
import { listFaults } from '../scope.ts';

/** One transaction creates a dictionary with its items. */
const mostItems = 97;

/** Problems of the dictionaries that a manifest declares: an installation would refuse them, or store them unusable. */
export const checkSeeds = (seeds: readonly DictSeed[]): string[] =>
  seeds.flatMap((seed, index) => {
    if (!isObject(seed)) return [`its dictionaries[${index}] is ${seed}: write { type_key, name, items }`];
    const { items, ...type } = seed;
    if (!Array.isArray(items))
      return [`its dictionary "${type.type_key}" has no list of items: write items: [ … ]`];
    const odd = items.findIndex((item) => !isObject(item));
    if (odd >= 0)
      return [`its dictionary "${type.type_key}": its items[${odd}] is ${items[odd]}: write { value, name }`];
    const values = items.map(({ value }) => value);
    const duplicates = values.filter((value, at) => values.indexOf(value) < at);
    const faults = [
      ...listIssues(newDictType, { ...type, enabled: true }, ''),
      ...items.flatMap((item, at) => listIssues(newDictItem, { ...item, type_key: 'any' }, `items[${at}].`)),
      ...duplicates.map((value) => `the value ${JSON.stringify(value)} is there twice: remove one`),
      ...listFaults({ [`${items.length} items are more than ${mostItems}`]: items.length > mostItems }),
    ];
    return faults.map((fault) => `its dictionary "${type.type_key}": ${fault}`);
  });

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What is wrong with a value, by field. */
function listIssues(schema: z.core.$ZodType, value: Record<string, unknown>, path: string): string[] {
  const { error } = z.safeParse(schema, value);
  return (error?.issues ?? []).map((issue) => {
    const [name = ''] = issue.path;
    const params: Record<string, unknown> = ('params' in issue && issue.params) || {};
    const rule = (sharedMessages.en[issue.message] ?? issue.message).replaceAll(/\{(\w+)\}/g, (_all, key) =>
      String(params[key]),
    );
    return `its ${path}${String(name)} ${JSON.stringify(value[String(name)])} is not allowed: ${rule}`;
  });
}
