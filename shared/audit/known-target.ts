import * as z from 'zod/mini';
import { fieldsOf } from '#shared/schema/definition.ts';

/** A part of a pattern that stands for an argument, or for the first of several that is given: `{id}`, `{a|b}`. */
const placeholder = /\{([\w|]+)\}/g;
/** The argument that every pattern may name: the caller's own ID. */
const callerName = 'adminId';
/** Most characters of a target. The filter of the log takes as many. */
const mostCharacters = 200;
const printable = /^[\x20-\x7e]+$/;

/** What is known of an action before it runs. */
export interface KnownInput {
  /** Schema of the arguments: an object. */
  schema: z.core.$ZodType | undefined;
  /** The arguments as sent, not validated. */
  given: unknown;
  /** ID of the caller. */
  adminId: string | null;
  /** Whether a list that names several records stands for its first. */
  isFirstEnough: boolean;
}

/** The names of the arguments in a pattern: `dict:{type_key}:{value}`. */
export const listTargetArguments = (pattern: string): string[] =>
  [...pattern.matchAll(placeholder)]
    .flatMap(([, names = '']) => names.split('|'))
    .filter((name) => name !== callerName);

/**
 * The record that an action is about, by a pattern: `article:{id}`. An argument counts only if it fits its own schema:
 * the others may be wrong or unread.
 *
 * @returns null if the arguments name no record
 */
export function formatTarget(pattern: string, input: KnownInput): string | null {
  let isWhole = true;
  const target = pattern.replace(placeholder, (_part, names: string) => {
    const read = (name: string) => (name === callerName ? input.adminId : readArgument(name, input));
    const value = names.split('|').reduce<string | null>((found, name) => found ?? read(name), null);
    isWhole &&= value !== null;
    return value ?? '';
  });
  return isWhole && target.length <= mostCharacters && printable.test(target) ? target : null;
}

function readArgument(name: string, { schema, given, isFirstEnough }: KnownInput): string | null {
  const field = schema && fieldsOf(schema)[name];
  if (!field || typeof given !== 'object' || given === null || !Object.hasOwn(given, name)) return null;
  const data = parseArgument(field, Reflect.get(given, name));
  const [value, ...others] = Array.isArray(data) ? data : [data];
  const isName = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return isName && (isFirstEnough || others.length === 0) ? String(value) : null;
}

/** Undefined if a value does not fit. A schema of a module may also throw, and an entry must not be lost by that. */
function parseArgument(field: z.core.$ZodType, value: unknown): unknown {
  try {
    return z.safeParse(field, value).data;
  } catch {
    return undefined;
  }
}
