import { gates, listThrottles } from '#shared/http/gates.ts';
import type { Route } from '#shared/http/route.ts';
import { locales } from '#shared/i18n/locale.ts';
import { checkFunctionName } from './checks.ts';
import { needed } from './entry.ts';
import type { FoundThrottle, Owner } from './model.ts';
import type { RoutePlace } from './route-place.ts';

const formType = 'multipart/form-data';
/** The gateway stops requests after 30 s. */
const maxTimeoutSeconds = 29;
/** Memory of a function in MB (AWS Lambda, "Quotas"). */
const memoryMb = { min: 128, max: 10_240 };
/** Largest request of a function (AWS Lambda, "Quotas"). */
const maxBodyBytes = 6_000_000;

/**
 * Problems of one route.
 *
 * @param owners of the error codes and throttles that it may use; its own module comes last
 */
export function checkRoute(route: Route, place: RoutePlace, owners: readonly Owner[]): string[] {
  if (typeof route.handler !== 'function' || !route.method) {
    return [`exports no route: export default ${place.area}.get({ … }) or another of its builders`];
  }
  return [
    ...checkPlace(route, place),
    ...checkTexts(route),
    ...checkSchemas(route),
    ...checkMiddleware(route, owners),
    ...checkNeeds(route),
    ...checkErrors(route, owners),
    ...checkLimits(route),
    ...checkFunctionName(place.functionName),
  ];
}

function checkPlace({ area, method }: Route, place: RoutePlace): string[] {
  const faults: string[] = [];
  if (area !== place.area) {
    faults.push(`is built with ${area}.*: a route in this folder is built with ${place.area}.*`);
  }
  if (place.method && place.method !== method) {
    faults.push(`is named for ${place.method} and built for ${method}: rename it`);
  }
  return faults;
}

function checkTexts({ summary }: Route): string[] {
  const missing = locales.filter((locale) => typeof summary?.[locale] !== 'string');
  return missing.map(
    (locale) => `its summary has no ${locale}: write one line in each of ${locales.join(', ')}`,
  );
}

function checkSchemas({ method, query, body, data, parser }: Route): string[] {
  const faults: string[] = [];
  if (!isSchema(data))
    faults.push('its data is not a schema: use a zod schema, or z.null() for an empty answer');
  if (query !== undefined && typeOf(query) !== 'object') {
    faults.push('its query is not a z.object: write query: z.object({ … })');
  }
  if (method === 'POST') faults.push(...checkBody(body, parser));
  else if (body) faults.push('a GET takes no body: use a query, or POST');
  return faults;
}

function checkBody(body: Route['body'], parser: Route['parser']): string[] {
  if (parser?.contentType !== formType) {
    if (isStrictObject(body)) return [];
    return ['the body of a POST is a z.strictObject, so that unknown fields are refused'];
  }
  if (typeOf(body) === 'object' && !isStrictObject(body)) return [];
  return ['the body of a form is a z.object, so that fields of upload widgets are ignored'];
}

function checkMiddleware({ middleware }: Route, owners: readonly Owner[]): string[] {
  if (!Array.isArray(middleware))
    return ["its middleware is not a list: write middleware: ['throttle:public']"];
  const throttles = owners.flatMap((owner) => Object.keys(owner.throttles));
  const known = Object.keys(gates).flatMap((name) =>
    name === 'throttle' ? throttles.map((argument) => `${name}:${argument}`) : name,
  );
  const mend = `use ${known.join(', ')}, or add a throttle to ${owners.at(-1)?.files.throttles}`;
  return middleware
    .filter((name) => !known.includes(name))
    .map((name) => `its middleware ${quote(name)} does not exist: ${mend}`);
}

function checkNeeds({ needs = [] }: Route): string[] {
  return needs
    .filter((need) => !Object.hasOwn(needed, need))
    .map((need) => `it needs ${quote(need)}, which does not exist: use ${Object.keys(needed).join(', ')}`);
}

function checkErrors({ errors = [] }: Route, owners: readonly Owner[]): string[] {
  if (!Array.isArray(errors)) return ["its errors are not a list: write errors: ['version_conflict']"];
  const mend = `add it to ${owners.at(-1)?.files.errors}, or require the module that has it`;
  return errors
    .filter((code) => !owners.some((owner) => Object.hasOwn(owner.errors, code)))
    .map((code) => `its error ${quote(code)} does not exist: ${mend}`);
}

/** The declared throttles of a route. */
export function findThrottles(route: Route, owners: readonly Owner[]): FoundThrottle[] {
  return listThrottles(route).flatMap((name) =>
    owners.flatMap(({ throttles, files }) => {
      const throttle = Object.hasOwn(throttles, name) ? throttles[name] : undefined;
      return throttle ? [{ name, throttle, file: files.throttles }] : [];
    }),
  );
}

function checkLimits({ limits = {}, bodyLimitBytes = 1 }: Route): string[] {
  const { timeoutSeconds = 1, memoryMb: memory = memoryMb.min } = limits;
  return [
    ...checkNumber('limits.timeoutSeconds', timeoutSeconds, 1, maxTimeoutSeconds),
    ...checkNumber('limits.memoryMb', memory, memoryMb.min, memoryMb.max),
    ...checkNumber('bodyLimitBytes', bodyLimitBytes, 1, maxBodyBytes),
  ];
}

function checkNumber(name: string, value: unknown, min: number, max: number): string[] {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return [];
  return [`its ${name} is ${quote(value)}: write a whole number from ${min} to ${max}`];
}

const quote = (value: unknown): string => JSON.stringify(value) ?? String(value);

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && '_zod' in value;

/** The type of a schema; undefined if the value is not a schema. */
function typeOf(value: Route['query']): string | undefined {
  return isSchema(value) ? value?._zod.def.type : undefined;
}

/** Whether a schema is an object that refuses unknown fields. */
export function isStrictObject(schema: Route['body']): boolean {
  if (!isSchema(schema)) return false;
  const definition: { type?: string; catchall?: { _zod: { def: { type: string } } } } | undefined =
    schema?._zod.def;
  return definition?.type === 'object' && definition.catchall?._zod.def.type === 'never';
}
