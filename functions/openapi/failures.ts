import { loginCodes } from '#shared/auth/token.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import { json } from '#shared/http/body/json.ts';
import { gates, listGates, requiresLogin } from '#shared/http/gates.ts';
import { findPermission } from '../discover/permissions.ts';
import { type FoundRoute, limitBytesOf } from '../model.ts';
import { referToExamples, sampleParams } from './examples.ts';
import { referToHeaders } from './headers.ts';
import { type Json, mapValues, refer } from './json-schema.ts';
import { describeEnvelope, type Edition, texts } from './texts.ts';

/** The failures of routes that use the database. */
export const databaseCodes: readonly ErrorCode[] = ['database.unavailable', 'database.not_installed'];

/** Common failures, by their name in `components`. */
const sharedFailures: Record<string, readonly ErrorCode[]> = {
  Malformed: ['request.malformed'],
  NotLoggedIn: loginCodes,
  TooLarge: ['request.too_large'],
  UnsupportedMediaType: ['request.unsupported_media_type'],
  Invalid: ['request.invalid'],
  Throttled: ['throttle.exceeded'],
  Internal: ['internal'],
  Unavailable: databaseCodes,
  ClosedOrUnavailable: ['site.closed', ...databaseCodes],
};

const namesByCodes = new Map(Object.entries(sharedFailures).map(([name, codes]) => [codes.join(), name]));

type HeadersByCode = Readonly<Record<string, readonly string[]>>;

/** Headers of the refusals of gates. */
const gateHeaders: HeadersByCode = Object.fromEntries(
  Object.values(gates).flatMap(({ refusals }) => Object.entries(refusals)),
);

const headersOf = (code: string, own: HeadersByCode = {}): readonly string[] => [
  ...(gateHeaders[code] ?? []),
  ...(own[code] ?? []),
];

/** The most common codes are listed last. */
const lastCodes: readonly string[] = [...databaseCodes, 'internal'];

/**
 * All error codes of a route, in the order of the catalogue: those of its gates, parser and schemas, and those that it
 * declares.
 */
export function listErrorCodes(found: FoundRoute, { statuses }: Pick<Edition, 'statuses'>): string[] {
  const { area, query, body, parser = json, errors = [], reference } = found.route;
  // A raw body is not checked by a schema.
  const isChecked = query !== undefined || (body !== undefined && !reference?.body);
  const codes = new Set<string>([
    ...listGates(found.route).flatMap(({ refusals }) => Object.keys(refusals)),
    ...(body ? parser.refusals : []),
    ...(body && Number.isFinite(limitBytesOf(found)) ? ['request.too_large'] : []),
    ...(isChecked ? ['request.invalid'] : []),
    // Open routes of `Web/` declare their database codes; all other routes read gates or settings.
    ...(area === 'web' && !requiresLogin(found.route) ? [] : databaseCodes),
    ...(typeof findPermission(found) === 'object' ? ['auth.permission_denied'] : []),
    ...(found.route.recentFactor ? ['auth.factor_required'] : []),
    ...errors,
    'internal',
  ]);
  // A stable sort.
  return Object.keys(statuses)
    .filter((code) => codes.has(code))
    .sort((a, b) => Number(lastCodes.includes(a)) - Number(lastCodes.includes(b)));
}

/** The codes with samples: the common ones, and the route's own codes without data, in the envelope. */
export function listSampledCodes(found: FoundRoute, edition: Edition): string[] {
  const { errorData = {} } = found.route.reference ?? {};
  const isBare = found.route.renderFailure !== undefined;
  const own = isBare ? [] : listErrorCodes(found, edition).filter((code) => !(code in errorData));
  return [...Object.values(sharedFailures).flat(), ...own];
}

/** The common failures, for `components`. */
export function describeSharedFailures(edition: Edition): Json {
  return {
    ...mapValues(sharedFailures, (codes) => describeFailure(codes, edition)),
    ThrottledByGateway: { description: texts.throttledByGateway[edition.locale] },
    AnyFailure: describeFailure([], edition, { isOpen: true }),
  };
}

/** The failures of a route by HTTP status. */
export function describeFailures(found: FoundRoute, edition: Edition): Json {
  const {
    errorData = {},
    errorHeaders: headers = {},
    passesErrors: isOpen = false,
  } = found.route.reference ?? {};
  if (found.route.renderFailure) return describeBare(found, edition);
  const data = mapValues(errorData, (schema) => edition.writer.write(schema, 'output'));
  const byStatus = Map.groupBy(listErrorCodes(found, edition), (code) => edition.statuses[code]);
  const failures = [...byStatus].map(([status, codes]) => {
    const isPlain = !isOpen && codes.every((code) => !(code in data) && !(code in headers));
    const name = isPlain ? namesByCodes.get(codes.join()) : undefined;
    const failure = name
      ? refer('responses', name)
      : describeFailure(codes, edition, { data, headers, isOpen });
    return [status, failure];
  });
  const isRefusing = failures.some(([status]) => Number(status) < 500);
  return {
    ...Object.fromEntries(failures),
    ...(!isRefusing && { 429: refer('responses', 'ThrottledByGateway') }),
    ...(isOpen && { default: refer('responses', 'AnyFailure') }),
  };
}

/** The failures of a route that answers without the envelope. */
function describeBare(found: FoundRoute, edition: Edition): Json {
  const rendered = listErrorCodes(found, edition).flatMap((code) => {
    const failure = { status: edition.statuses[code] ?? 500, code, message: edition.t(code, sampleParams) };
    const rendered = found.route.renderFailure?.(failure);
    return rendered ? [{ ...rendered, code }] : [];
  });
  const byStatus = Map.groupBy(rendered, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, answers]) => {
      const bodies = answers.map(({ body }) => body);
      const names = Object.keys(bodies[0] ?? {});
      const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
      const schema = { type: 'object', required: names, additionalProperties: false, properties };
      const lines = [...new Set(bodies.map((body) => Object.values(body).join(': ')))];
      const own = answers.flatMap(({ code }) => headersOf(code, found.route.reference?.errorHeaders));
      const headers = referToHeaders(['x-request-id', ...own]);
      const content = { 'application/json': { schema, example: bodies[0] } };
      return [status, { description: lines.join('\n\n'), headers, content }];
    }),
  );
}

interface FailureParts {
  /** Schemas of `data` by code, if it is not null. */
  data?: Record<string, Json>;
  /** Headers that the route declares. */
  headers?: HeadersByCode;
  /** Whether any other code is possible, with any status. */
  isOpen?: boolean;
}

function describeFailure(
  codes: readonly string[],
  { locale, t }: Edition,
  { data = {}, headers = {}, isOpen = false }: FailureParts = {},
): Json {
  const plain = codes.filter((code) => !(code in data));
  const lines = codes.map((code) => `\`${code}\`: ${t(code, sampleParams)}`);
  const errors = { type: 'array', items: refer('schemas', 'ErrorDetail') };
  const describeBody = (code: Json, own: Json = { type: 'null' }) => describeEnvelope(code, own, { errors });
  // One schema for all codes without data, and one for each code with data.
  const byData = Map.groupBy(new Set([...plain, ...codes]), (code) => data[code]);
  const bodies = isOpen
    ? [describeBody(refer('schemas', 'ErrorCode'))]
    : [...byData].map(([own, group]) => describeBody({ type: 'string', enum: group }, own));
  const schema = bodies.length === 1 ? bodies[0] : { anyOf: bodies };
  return {
    description: [...lines, ...(isOpen ? [texts.anyFailure[locale]] : [])].join('\n\n'),
    headers: referToHeaders([
      'x-request-id',
      'content-language',
      ...codes.flatMap((code) => headersOf(code, headers)),
    ]),
    content: { 'application/json': { schema, examples: referToExamples(plain, locale) } },
  };
}
