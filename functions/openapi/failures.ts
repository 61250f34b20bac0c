import type { ErrorCode } from '#shared/errors/catalogue.ts';
import { json } from '#shared/http/body/json.ts';
import { bodyLimitOf, gates, listGates, loginCodes, requiresLogin } from '#shared/http/gates.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { FoundRoute } from '../model.ts';
import { referToExamples, sampleParams } from './examples.ts';
import { referToHeaders } from './headers.ts';
import type { Json, SchemaWriter } from './json-schema.ts';
import type { Edition } from './texts.ts';

/** The failures of routes that use the database. */
export const databaseCodes = [
  'database.unavailable',
  'database.not_installed',
] as const satisfies ErrorCode[];

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

/** Additional headers by error code. */
const headersByCode: Record<string, readonly string[]> = {
  'range.invalid': ['content-range'],
  ...Object.fromEntries(Object.values(gates).flatMap(({ refusals }) => Object.entries(refusals))),
};

/** The most common codes are listed last. */
const lastCodes: readonly string[] = [...databaseCodes, 'internal'];

/**
 * All error codes of a route: those of its gates, its parser and its schemas, and its declared ones.
 *
 * @param statuses all codes, in the order of the result
 */
export function listErrorCodes(found: FoundRoute, { statuses }: Pick<Edition, 'statuses'>): string[] {
  const { route } = found;
  const codes = new Set<string>([
    ...listGates(route).flatMap(({ refusals }) => Object.keys(refusals)),
    ...listInputCodes(found),
    // Open routes of `Web/` declare their database codes; all other routes read gates or settings.
    ...(route.area === 'web' && !requiresLogin(route) ? [] : databaseCodes),
    ...(route.errors ?? []),
    'internal',
  ]);
  const known = Object.keys(statuses).filter((code) => codes.has(code));
  return [
    ...known.filter((code) => !lastCodes.includes(code)),
    ...known.filter((code) => lastCodes.includes(code)),
  ];
}

function listInputCodes({ route, throttles }: FoundRoute): ErrorCode[] {
  const { query, body, parser = json } = route;
  const limitBytes = bodyLimitOf(
    route,
    throttles.map(({ throttle }) => throttle),
  );
  // A raw body is not checked by a schema.
  const isChecked = query !== undefined || (body !== undefined && !route.reference?.body);
  return [
    ...(body ? parser.refusals : []),
    ...(body && Number.isFinite(limitBytes) ? (['request.too_large'] as const) : []),
    ...(isChecked ? (['request.invalid'] as const) : []),
  ];
}

/** The codes with samples: the common ones, and the route's own codes without data. */
export function listSampledCodes(found: FoundRoute, edition: Edition): string[] {
  const { errorData = {} } = found.route.reference ?? {};
  const own = listErrorCodes(found, edition).filter((code) => !(code in errorData));
  return [...Object.values(sharedFailures).flat(), ...own];
}

interface FailureOptions {
  edition: Edition;
  /** Schemas of `data` by code, if it is not null. */
  data: Record<string, Json>;
  /** Whether any other code is possible, with any status. */
  isOpen: boolean;
}

/** The common failures, for `components`. */
export function describeSharedFailures(edition: Edition): Json {
  const options: FailureOptions = { edition, data: {}, isOpen: false };
  return Object.fromEntries([
    ...Object.entries(sharedFailures).map(([name, codes]) => [name, describeFailure(codes, options)]),
    ['ThrottledByGateway', { description: throttledByGateway[edition.locale] }],
    ['AnyFailure', describeFailure([], { ...options, isOpen: true })],
  ]);
}

/** The failures of a route by HTTP status. */
export function describeFailures(found: FoundRoute, edition: Edition, writer: SchemaWriter): Json {
  const { errorData = {}, passesErrors: isOpen = false } = found.route.reference ?? {};
  const data = Object.fromEntries(
    Object.entries(errorData).map(([code, schema]) => [code, writer.write(schema, 'output')]),
  );
  const byStatus = Map.groupBy(listErrorCodes(found, edition), (code) => edition.statuses[code]);
  const failures = [...byStatus].map(([status, codes]) => {
    const isPlain = !isOpen && codes.every((code) => !(code in data));
    const name = isPlain ? namesByCodes.get(codes.join()) : undefined;
    return [status, name ? referToResponse(name) : describeFailure(codes, { edition, data, isOpen })];
  });
  const isRefusing = failures.some(([status]) => Number(status) < 500);
  return {
    ...Object.fromEntries(failures),
    ...(!isRefusing && { 429: referToResponse('ThrottledByGateway') }),
    ...(isOpen && { default: referToResponse('AnyFailure') }),
  };
}

const referToResponse = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

function describeFailure(codes: readonly string[], { edition, data, isOpen }: FailureOptions): Json {
  const { locale, t } = edition;
  const names = new Set<string>(['x-request-id', 'content-language']);
  for (const code of codes) for (const name of headersByCode[code] ?? []) names.add(name);
  const examples = referToExamples(
    codes.filter((code) => !(code in data)),
    locale,
  );
  const lines = codes.map((code) => `\`${code}\`: ${t(code, sampleParams)}`);
  return {
    description: [...lines, ...(isOpen ? [anyFailure[locale]] : [])].join('\n\n'),
    headers: referToHeaders([...names]),
    content: { 'application/json': { schema: describeBody(codes, data, isOpen), examples } },
  };
}

const throttledByGateway: LocalisedText = {
  zh_CN: '请求过多，由网关直接拒绝，不带信封',
  en: 'Too many requests; the gateway answers without an envelope',
};

const anyFailure: LocalisedText = { zh_CN: '工具自身的其他错误', en: 'Any other error of a tool' };

/** The body of a failure: one schema for all codes without data, and one for each code with data. */
function describeBody(codes: readonly string[], data: Record<string, Json>, isOpen: boolean): Json {
  const none = { type: 'null' };
  if (isOpen) return createBody({ $ref: '#/components/schemas/ErrorCode' }, none);
  const plain = codes.filter((code) => !(code in data));
  const options = [
    ...(plain.length > 0 ? [createBody({ type: 'string', enum: plain }, none)] : []),
    ...codes.flatMap((code) =>
      data[code] ? [createBody({ type: 'string', enum: [code] }, data[code])] : [],
    ),
  ];
  return options.length === 1 ? (options[0] ?? {}) : { anyOf: options };
}

function createBody(code: Json, data: Json): Json {
  return {
    type: 'object',
    properties: {
      code,
      message: { $ref: '#/components/schemas/Message' },
      data,
      request_id: { $ref: '#/components/schemas/RequestId' },
      errors: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
    },
    required: ['code', 'message', 'data', 'request_id'],
    additionalProperties: false,
  };
}
