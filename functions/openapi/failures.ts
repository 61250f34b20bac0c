import { siteStatusConfig } from '#shared/config/site-status.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors/catalogue.ts';
import { type Locale, locales } from '#shared/http/locale.ts';
import { createTranslate } from '#shared/http/messages.ts';
import type { Route } from '#shared/http/route.ts';
import { databaseCodes, listErrorCodes, loginCodes } from './error-codes.ts';
import { type HeaderName, rateLimitHeaders, referToHeaders } from './headers.ts';
import type { SchemaWriter } from './json-schema.ts';
import { sampleParams, sampleRequestId } from './samples.ts';
import type { Json } from './types.ts';

/** Failures that many routes share, by their name among the components. */
const sharedFailures: Record<string, readonly ErrorCode[]> = {
  Malformed: ['request.malformed'],
  NotLoggedIn: loginCodes,
  NotFound: ['route.not_found'],
  MethodNotAllowed: ['route.method_not_allowed'],
  TooLarge: ['request.too_large'],
  UnsupportedMediaType: ['request.unsupported_media_type'],
  Invalid: ['request.invalid'],
  Throttled: ['throttle.exceeded'],
  Internal: ['internal'],
  Unavailable: databaseCodes,
  ClosedOrUnavailable: ['site.closed', ...databaseCodes],
};

const namesByCodes = new Map(Object.entries(sharedFailures).map(([name, codes]) => [codes.join(), name]));

/** Headers that codes come with. */
const headersByCode: Partial<Record<ErrorCode, readonly HeaderName[]>> = {
  'throttle.exceeded': ['retry-after', ...rateLimitHeaders],
  'site.closed': ['retry-after'],
  'route.method_not_allowed': ['allow'],
  'range.invalid': ['content-range'],
  'auth.scope_insufficient': ['www-authenticate'],
  ...Object.fromEntries(loginCodes.map((code) => [code, ['www-authenticate']])),
};

/** The failures that many routes share, for `components`. */
export function describeSharedFailures(locale: Locale): Json {
  return Object.fromEntries(
    Object.entries(sharedFailures).map(([name, codes]) => [name, describeFailure(codes, locale, {})]),
  );
}

/** The failures of a route by HTTP status. */
export function describeFailures(route: Route, locale: Locale, writer: SchemaWriter): Json {
  const errorData: Record<string, Json> = Object.fromEntries(
    Object.entries(route.reference?.errorData ?? {}).map(([code, schema]) => [
      code,
      writer.write(schema, 'output'),
    ]),
  );
  const byStatus = Map.groupBy(listErrorCodes(route), (code) => errorCatalogue[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = codes.some((code) => code in errorData) ? undefined : namesByCodes.get(codes.join());
      return [
        status,
        name ? { $ref: `#/components/responses/${name}` } : describeFailure(codes, locale, errorData),
      ];
    }),
  );
}

function describeFailure(codes: readonly ErrorCode[], locale: Locale, errorData: Record<string, Json>): Json {
  const t = createTranslate(locale);
  const names = new Set<string>(['x-request-id', 'content-language']);
  for (const code of codes) for (const name of headersByCode[code] ?? []) names.add(name);
  const examples = codes
    .filter((code) => !(code in errorData))
    .flatMap((code) => orderLocales(locale).map((each) => nameExample(code, each)));
  return {
    description: codes.map((code) => `\`${code}\`: ${t(code, sampleParams)}`).join('\n\n'),
    headers: referToHeaders([...names]),
    content: {
      'application/json': {
        schema: describeBody(codes, errorData),
        examples: Object.fromEntries(
          examples.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
        ),
      },
    },
  };
}

/** The body of a failure: one schema for the codes without data, and one for each of the others. */
function describeBody(codes: readonly ErrorCode[], errorData: Record<string, Json>): Json {
  const plain = codes.filter((code) => !(code in errorData));
  const options = [
    ...(plain.length > 0 ? [createBody(plain, { type: 'null' })] : []),
    ...codes.flatMap((code) => (errorData[code] ? [createBody([code], errorData[code])] : [])),
  ];
  return options.length === 1 ? (options[0] ?? {}) : { anyOf: options };
}

function createBody(codes: readonly ErrorCode[], data: Json): Json {
  return {
    type: 'object',
    properties: {
      code: { type: 'string', enum: codes },
      message: { $ref: '#/components/schemas/Message' },
      data,
      request_id: { $ref: '#/components/schemas/RequestId' },
      errors: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
    },
    required: ['code', 'message', 'data', 'request_id'],
    additionalProperties: false,
  };
}

const orderLocales = (first: Locale): Locale[] => [first, ...locales.filter((each) => each !== first)];
const nameExample = (code: ErrorCode, locale: Locale): string => `${code}.${locale}`;

/** A sample of every failure that some route can answer, in every locale, for `components`. */
export function describeExamples(routes: readonly Route[]): Json {
  const used = new Set([...Object.values(sharedFailures).flat(), ...routes.flatMap(listErrorCodes)]);
  return Object.fromEntries(
    [...used]
      .sort()
      .flatMap((code) =>
        locales.map((locale) => [
          nameExample(code, locale),
          { summary: `${code} (${locale})`, value: createSample(code, locale) },
        ]),
      ),
  );
}

function createSample(code: ErrorCode, locale: Locale): Json {
  const t = createTranslate(locale);
  // Operators write the close message, in whatever language.
  const message = code === 'site.closed' ? siteStatusConfig.closedMessage : t(code, sampleParams);
  const errors = [{ path: 'body.nam', message: t('rule.unrecognized') }];
  return {
    code,
    message,
    data: null,
    request_id: sampleRequestId,
    ...(code === 'request.invalid' && { errors }),
  };
}
