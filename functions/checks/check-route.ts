import { gates, listThrottles } from '#shared/http/gates.ts';
import type { Route } from '#shared/http/route.ts';
import { definitionOf, isSchema, typeOf as kindOf } from '#shared/schema/definition.ts';
import { listDimensions } from '#shared/throttle/throttles.ts';
import { needed } from '../bundle/entry.ts';
import { listFields, listUnknownArguments } from '../discover/find-target.ts';
import type { RouteLocation } from '../discover/route-path.ts';
import type { FoundThrottle, Owner } from '../model.ts';
import { listFaults } from '../scope.ts';
import { checkFunctionName, checkTexts } from './checks.ts';

/** Problems of one route. @param owners of codes and throttles that it may use; its own module comes last */
export function checkRoute(route: Route, location: RouteLocation, owners: readonly Owner[]): string[] {
  if (typeof route.handler !== 'function' || !route.method) {
    return [`exports no route: export default ${location.area}.get({ … }) or another of its builders`];
  }
  const lists = checkLists(route);
  if (lists.length > 0) return lists;
  const { area, method, middleware, needs, aliases = [], errors = [] } = route;
  const { throttles, errors: errorFile } = owners.at(-1)?.files ?? {};
  const known = listMiddleware(owners);
  const codes = owners.flatMap((owner) => Object.keys(owner.errors));
  const faults = [
    ...listFaults({
      [`is built with ${area}.*: a route in this folder is built with ${location.area}.*`]:
        area !== location.area,
      [`is named for ${location.method} and built for ${method}: rename it`]:
        (location.method ?? method) !== method,
      'has aliases: only a route of Web/ can have them, each a path such as /console':
        aliases.some((path) => !aliasPattern.test(path)) || (area !== 'web' && aliases.length > 0),
    }),
    ...checkTexts('summary', 'one line', route.summary),
    ...checkSchemas(route),
    ...listUnknown(middleware, known).map(
      (name) =>
        `its middleware ${name} does not exist: use ${known.join(', ')}, or add a throttle to ${throttles}`,
    ),
    ...listUnknown(needs, Object.keys(needed)).map(
      (need) => `it needs ${need}, which does not exist: use ${Object.keys(needed).join(', ')}`,
    ),
    ...listUnknown(errors, codes).map(
      (code) => `its error ${code} does not exist: add it to ${errorFile}, or require the module that has it`,
    ),
    ...checkTarget(route),
    ...checkLimits(route),
    ...checkFunctionName(location.functionName),
  ];
  return faults.length > 0 ? faults : checkCounting(route, owners);
}

/** What the lists of a route may hold, for the message. */
const samples = {
  middleware: 'throttle:public',
  errors: 'version_conflict',
  aliases: '/console',
  needs: 'modules',
  asksFor: 'delete',
  formerly: 'shop/order/remove',
} as const satisfies Partial<Record<keyof Route, string>>;

/** Problems of the lists of a route. With them, its other parts cannot be read. */
export function checkLists(route: Route): string[] {
  const given: Record<string, unknown> = Object(route);
  // An unknown gate, which is undefined if its import is wrong, has a message of its own.
  const isFit = (name: string, value: unknown) =>
    name === 'middleware'
      ? Array.isArray(value)
      : value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
  return Object.entries(samples)
    .filter(([name]) => !isFit(name, given[name]))
    .map(([name, sample]) => `its ${name} is not a list of texts: write ${name}: ['${sample}']`);
}

/** API Gateway refuses the path of a route that ends with a slash. */
const aliasPattern = /^\/$|^(\/\.well-known)?(\/[a-zA-Z][a-zA-Z0-9-]*)+$/;

/** Media types of forms, whose unknown fields are ignored. */
const formTypes = ['multipart/form-data', 'application/x-www-form-urlencoded'];

function checkSchemas({ method, query, body, data, parser }: Route): string[] {
  const isPost = method === 'POST';
  const isForm = formTypes.includes(parser?.contentType ?? '');
  const isStrict = isStrictObject(body);
  const isFormFit = typeOf(body) === 'object' && !isStrict;
  const isQueryFit = query === undefined || typeOf(query) === 'object';
  return listFaults({
    'its data is not a schema: use a zod schema, or z.null() for an empty answer': !isSchema(data),
    'its query is not a z.object: write query: z.object({ … })': !isQueryFit,
    'a GET takes no body: use a query, or POST': !isPost && body !== undefined,
    'the body of a POST is a z.strictObject, so that unknown fields are refused':
      isPost && !isForm && !isStrict,
    'the body of a form is a z.object, so that unknown fields are ignored': isPost && isForm && !isFormFit,
  });
}

function listMiddleware(owners: readonly Owner[]): string[] {
  const throttles = owners.flatMap((owner) => Object.keys(owner.throttles)).map((name) => `throttle:${name}`);
  return Object.keys(gates).flatMap((name) => (name === 'throttle' ? throttles : name));
}

/** The names in a list that are not known, quoted. */
const listUnknown = (names: unknown, known: readonly unknown[]): string[] =>
  Array.isArray(names) ? names.filter((name) => !known.includes(name)).map(quote) : [];

/** The declared throttles of a route. */
export function findThrottles(route: Route, owners: readonly Owner[]): FoundThrottle[] {
  return listThrottles(route).flatMap((name) =>
    owners.flatMap(({ throttles, files }) => {
      const throttle = Object.hasOwn(throttles, name) ? throttles[name] : undefined;
      return throttle ? [{ name, throttle, file: files.throttles }] : [];
    }),
  );
}

const targetPattern = /^[a-z][a-z0-9_-]*(:([\w.-]|\{[\w|]+\})+)+$/;

/** Problems of the pattern of a route or a tool for the audit log. */
export const checkTarget = ({ target, body }: Pick<Route, 'target' | 'body'>): string[] =>
  target === undefined
    ? []
    : listFaults({
        [`its target ${quote(target)} is not a pattern: write it as order:{id}`]: !targetPattern.test(target),
        [`its target names ${listUnknownArguments(target, body).join()}, which is not sent`]:
          listUnknownArguments(target, body).length > 0,
      });

/** Problems of throttles that count by something that the route does not have: they would count nothing. */
function checkCounting(route: Route, owners: readonly Owner[]): string[] {
  const fields = listFields(route.body);
  return findThrottles(route, owners).flatMap(({ name, throttle }) =>
    listDimensions(throttle).flatMap((dimension) => {
      if (typeof dimension === 'string') return [];
      if (!('body' in dimension))
        return route.readCredential ? [] : [`throttle:${name} counts by a credential: add readCredential`];
      const isKnown = fields.includes(dimension.body);
      return isKnown
        ? []
        : [`throttle:${name} counts by ${quote(dimension.body)}, which its body does not have`];
    }),
  );
}

const checkLimits = ({ limits = {}, bodyLimitBytes }: Route): string[] => [
  // The gateway stops requests after 30 s.
  ...checkNumber('limits.timeoutSeconds', limits.timeoutSeconds, 1, 29),
  // AWS Lambda, "Quotas".
  ...checkNumber('limits.memoryMb', limits.memoryMb, 128, 10_240),
  ...checkNumber('bodyLimitBytes', bodyLimitBytes, 1, 6_000_000),
];

/** @param value undefined for the default */
function checkNumber(name: string, value: unknown, min: number, max: number): string[] {
  if (value === undefined) return [];
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return [];
  return [`its ${name} is ${quote(value)}: write a whole number from ${min} to ${max}`];
}

const quote = (value: unknown): string => JSON.stringify(value) ?? String(value);

const typeOf = (value: unknown) => (isSchema(value) ? kindOf(value) : undefined);

/** Whether a value is the schema of an object that refuses unknown fields. */
export function isStrictObject(value: unknown): boolean {
  if (!isSchema(value)) return false;
  const def = definitionOf(value);
  return def.type === 'object' && def.catchall !== undefined && kindOf(def.catchall) === 'never';
}
