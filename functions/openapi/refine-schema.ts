import type * as z from 'zod/mini';
import type { Schema } from '#shared/http/route.ts';
import { mediaRegistry } from '#shared/media/annotation.ts';
import { receivedFile } from '#shared/schema/received-file.ts';
import type { DescribeRule, Json } from './types.ts';

/** Mends in place what zod wrote of one schema. */
export function refineSchema(schema: Schema, json: Json, describeRule: DescribeRule): void {
  if (schema === receivedFile) Object.assign(json, { type: 'string', format: 'binary' });
  else describeRules(schema, json, describeRule);
  // Checks of media are of its stored form, which no client sees.
  if (mediaRegistry.has(schema)) drop(json, 'minLength', 'maxLength', 'pattern');
  // The format says it already; and `ulid` is none that others know.
  if (json.format === 'date-time') drop(json, 'pattern');
  if (json.format === 'ulid') drop(json, 'format');
  if (json.minimum === Number.MIN_SAFE_INTEGER) drop(json, 'minimum');
  if (json.maximum === Number.MAX_SAFE_INTEGER) drop(json, 'maximum');
  // Keys are strings anyway.
  if (JSON.stringify(json.propertyNames) === '{"type":"string"}') drop(json, 'propertyNames');
}

function drop(json: Json, ...keys: string[]): void {
  for (const key of keys) delete json[key];
}

/** Rules whose messages tell what is wrong, not what is wanted. */
const refusals = ['rule.id', 'rule.well_formed', 'rule.duplicate', 'rule.file'];

/** What zod cannot say of a rule that is a function, its message says. */
function describeRules(schema: Schema, json: Json, describeRule: DescribeRule): void {
  // A rule over a whole object is about one of its fields, which it does not name.
  if (json.type === 'object') return;
  const rules = listRules(schema);
  const texts = new Set(rules.map(({ key, params }) => describeRule(key, params)));
  if (texts.size > 0) json.description = [...texts].join('; ');
  for (const { key, params } of rules) {
    if (key !== 'rule.text') continue;
    if (params.min !== 0) json.minLength = params.min;
    json.maxLength = params.max;
  }
}

interface Rule {
  key: string;
  params: Record<string, string | number>;
}

/** The rules of a schema and its checks that have a message of ours. */
function listRules(schema: Schema): Rule[] {
  // zod's own union of all its schemas, which it documents for walking them.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  return [def, ...checks].flatMap((each) => {
    const { error, params = {} } = each as {
      error?: (issue: object) => unknown;
      params?: Rule['params'];
    };
    const key = error?.({});
    return typeof key === 'string' && key.startsWith('rule.') && !refusals.includes(key)
      ? [{ key, params }]
      : [];
  });
}
