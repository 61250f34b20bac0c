import { gates, listThrottles } from '#shared/http/gates.ts';
import type { Route, Schema } from '#shared/http/route.ts';
import { checkFunctionName, checkTexts } from './checks.ts';
import { needed } from './entry.ts';
import type { FoundThrottle, Owner } from './model.ts';
import type { RoutePlace } from './route-place.ts';
import { listFaults } from './scope.ts';

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
  const { method, middleware, needs = [], errors = [] } = route;
  return [
    ...listFaults({
      [`is built with ${route.area}.*: a route in this folder is built with ${place.area}.*`]:
        route.area !== place.area,
      [`is named for ${place.method} and built for ${method}: rename it`]:
        place.method !== undefined && place.method !== method,
    }),
    ...checkTexts('summary', 'one line', route.summary),
    ...checkSchemas(route),
    ...(Array.isArray(middleware)
      ? checkMiddleware(middleware, owners)
      : ["its middleware is not a list: write middleware: ['throttle:public']"]),
    ...needs
      .filter((need) => !Object.hasOwn(needed, need))
      .map((need) => `it needs ${quote(need)}, which does not exist: use ${Object.keys(needed).join(', ')}`),
    ...(Array.isArray(errors)
      ? checkErrors(errors, owners)
      : ["its errors are not a list: write errors: ['version_conflict']"]),
    ...checkLimits(route),
    ...checkFunctionName(place.functionName),
  ];
}

function checkSchemas({ method, query, body, data, parser }: Route): string[] {
  const isPost = method === 'POST';
  const isForm = parser?.contentType === 'multipart/form-data';
  const isStrict = isStrictObject(body);
  return listFaults({
    'its data is not a schema: use a zod schema, or z.null() for an empty answer': !isSchema(data),
    'its query is not a z.object: write query: z.object({ … })':
      query !== undefined && typeOf(query) !== 'object',
    'a GET takes no body: use a query, or POST': !isPost && body !== undefined,
    'the body of a POST is a z.strictObject, so that unknown fields are refused':
      isPost && !isForm && !isStrict,
    'the body of a form is a z.object, so that fields of upload widgets are ignored':
      isPost && isForm && (typeOf(body) !== 'object' || isStrict),
  });
}

function checkMiddleware(middleware: readonly string[], owners: readonly Owner[]): string[] {
  const throttles = owners.flatMap((owner) => Object.keys(owner.throttles));
  const known = Object.keys(gates).flatMap((name) =>
    name === 'throttle' ? throttles.map((argument) => `${name}:${argument}`) : name,
  );
  const mend = `use ${known.join(', ')}, or add a throttle to ${owners.at(-1)?.files.throttles}`;
  return middleware
    .filter((name) => !known.includes(name))
    .map((name) => `its middleware ${quote(name)} does not exist: ${mend}`);
}

function checkErrors(errors: readonly string[], owners: readonly Owner[]): string[] {
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

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;

const typeOf = (value: unknown) => (isSchema(value) ? value._zod.def.type : undefined);

/** Whether a value is the schema of an object that refuses unknown fields. */
export function isStrictObject(value: unknown): boolean {
  if (!isSchema(value)) return false;
  const { type, catchall }: { type: string; catchall?: Schema } = value._zod.def;
  return type === 'object' && typeOf(catchall) === 'never';
}
